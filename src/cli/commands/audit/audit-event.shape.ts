import { z } from 'zod';

/** One row of `ferry audit`, as `GET /api/audit` has it. */
export const auditEventShape = z.looseObject({
  object: z.literal('audit_event'),
  id: z.string(),
  created_at: z.string().describe('ISO 8601'),
  action: z.string().describe('object.verb, such as key.create'),
  actor: z.looseObject({
    kind: z.string().describe('system, cli-token or session'),
    user_id: z.string().nullable(),
    credential_id: z.string().nullable(),
    name: z.string().nullable(),
  }),
  target: z.looseObject({ kind: z.string(), id: z.string() }),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
});

export type AuditEvent = z.output<typeof auditEventShape>;
