import { z } from 'zod';

/** A job, as `/api/operations` has it. */
export const operationShape = z.looseObject({
  id: z.string(),
  kind: z.enum(['install', 'load', 'unload', 'remove']),
  node_id: z.string(),
  node_name: z.string(),
  node_online: z.boolean(),
  engine: z.string().nullable(),
  model: z.string().nullable(),
  model_key: z.string().nullable().describe('the node’s own name of it'),
  source: z.string().nullable().describe('of an install, in the engine’s own terms'),
  load: z.boolean().optional().describe('of an install: the model is loaded afterwards, as part of it'),
  state: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
  phase: z.string().nullable(),
  completed_bytes: z.number().nullable(),
  total_bytes: z.number().nullable(),
  bytes_per_second: z.number().nullable(),
  failure: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  cancel_requested: z.boolean(),
  created_at: z.string().describe('ISO 8601'),
});

/** The last line of a command that watches a job. Those before it have `type: "progress"` and the same fields. */
export const operationResultShape = operationShape.extend({
  type: z.literal('result').describe('"progress" on the lines before'),
});

export type OperationRecord = z.output<typeof operationShape>;
