import { z } from 'zod';

const figures = {
  requests: z.number().int(),
  completed: z.number().int(),
  failed: z.number().int(),
  cancelled: z.number().int(),
  input_tokens: z.number().int(),
  cached_tokens: z.number().int().describe('part of input_tokens'),
  output_tokens: z.number().int(),
  reasoning_tokens: z.number().int().describe('part of output_tokens'),
  estimated_requests: z.number().int().describe('whose tokens no engine told'),
};

/** `ferry usage`, as `GET /api/usage` has it. */
export const usageShape = z.looseObject({
  object: z.literal('usage'),
  since: z.string(),
  until: z.string(),
  by: z.enum(['model', 'node', 'key', 'cluster', 'dialect', 'hour']),
  data: z.array(z.looseObject({ key: z.string().nullable(), name: z.string().nullable(), ...figures })),
  totals: z.looseObject(figures),
});

export type Usage = z.output<typeof usageShape>;
