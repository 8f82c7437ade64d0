/** What `ferry node` says of this computer. */
import { z } from 'zod';

/** `ferry node join`. */
export const joinedNodeShape = z.looseObject({
  node_id: z.string(),
  name: z.string(),
  cluster_id: z.string(),
  relay_url: z.string(),
});

/** `ferry node status`. Every field is optional: an older or newer node may run. */
export const nodeStatusShape = z.looseObject({
  pid: z.number().int().optional(),
  node_id: z.string().optional(),
  node_name: z.string().optional(),
  relay_url: z.string().optional(),
  connected: z.boolean().optional(),
  since: z.string().optional().describe('ISO 8601: when the connection was made or lost'),
  draining: z.boolean().optional(),
  agent_version: z.string().optional(),
  relay_version: z.string().nullable().optional(),
  update: z.string().nullable().optional().describe('what to run, when this node should be updated'),
  engines: z.array(z.looseObject({ name: z.string(), version: z.string().nullable() })).optional(),
  models: z
    .array(
      z.looseObject({
        display_name: z.string(),
        state: z.string(),
        reason: z.string().nullable().optional().describe('engine_unreachable: its engine does not answer now'),
      }),
    )
    .optional(),
  problems: z
    .array(z.looseObject({ summary: z.string(), next: z.string().nullable() }))
    .optional()
    .describe('what is missing or broken in the files of its engines'),
  slots: z
    .array(
      z.looseObject({
        name: z.string(),
        slots_total: z.number().int(),
        slots_used: z.number().int(),
        problem: z.string().optional().describe('what keeps the engine from serving, for people'),
      }),
    )
    .optional(),
  operations: z
    .array(
      z.looseObject({
        kind: z.string(),
        subject: z.string(),
        phase: z.string(),
        completed_bytes: z.number().nullable(),
        total_bytes: z.number().nullable(),
      }),
    )
    .optional(),
});

/** `ferry doctor` and `ferry node doctor`. What was found in numbers stands beside each check. */
export const diagnosisShape = z.looseObject({
  object: z.literal('diagnosis'),
  ok: z.boolean().describe('false when a check fails'),
  checks: z.array(
    z.looseObject({
      check: z.string().describe('stable: programs look for it'),
      verdict: z.enum(['ok', 'warn', 'fail']),
      summary: z.string(),
      next: z.string().nullable().describe('what to do'),
    }),
  ),
});

export type NodeStatus = z.output<typeof nodeStatusShape>;
