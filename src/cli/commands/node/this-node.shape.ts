/** Output of `ferry node` about this computer. */
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
  since: z.string().optional().describe('ISO 8601; when the connection was established or lost'),
  draining: z.boolean().optional(),
  agent_version: z.string().optional(),
  relay_version: z.string().nullable().optional(),
  update: z.string().nullable().optional().describe('the command to run if this node should be updated'),
  engines: z.array(z.looseObject({ name: z.string(), version: z.string().nullable() })).optional(),
  models: z
    .array(
      z.looseObject({
        display_name: z.string(),
        state: z.string(),
        reason: z.string().nullable().optional().describe('engine_unreachable: the engine does not respond'),
      }),
    )
    .optional(),
  problems: z
    .array(z.looseObject({ summary: z.string(), next: z.string().nullable() }))
    .optional()
    .describe('problems with the files of the engines'),
  slots: z
    .array(
      z.looseObject({
        name: z.string(),
        slots_total: z.number().int(),
        slots_used: z.number().int(),
        problem: z.string().optional().describe('why the engine cannot serve requests, as text'),
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

/** `ferry doctor` and `ferry node doctor`. Measured values are additional fields of each check. */
export const diagnosisShape = z.looseObject({
  object: z.literal('diagnosis'),
  ok: z.boolean().describe('false when a check fails'),
  checks: z.array(
    z.looseObject({
      check: z.string().describe('stable identifier of the check'),
      verdict: z.enum(['ok', 'warn', 'fail']),
      summary: z.string(),
      next: z.string().nullable().describe('the next step for the user'),
    }),
  ),
});

export type NodeStatus = z.output<typeof nodeStatusShape>;
