import { z } from 'zod';

const probedModel = z.object({
  model: z.string(),
  up: z.boolean(),
  first_token_ms: z.number().int().nullable().describe('null: no token came'),
  total_ms: z.number().int(),
  request_id: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  last_error: z
    .object({ code: z.string(), message: z.string(), at: z.string() })
    .nullable()
    .describe('the last one since this program started, also when the model is up again'),
});
export type ProbedModel = z.output<typeof probedModel>;

/** One round. */
export const probeShape = z.object({
  object: z.literal('probe'),
  at: z.string(),
  up: z.boolean().describe('every model has answered'),
  models: z.array(probedModel),
  error: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('why no model could be asked: the relay did not answer, or no model is loaded'),
});
export type ProbeRound = z.output<typeof probeShape>;
