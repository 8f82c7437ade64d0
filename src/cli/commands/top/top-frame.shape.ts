import { z } from 'zod';

/** `ferry top --json`: one frame. */
export const topFrameShape = z.strictObject({
  object: z.literal('top'),
  at: z.string().describe('ISO 8601'),
  nodes: z.array(
    z.strictObject({
      node_id: z.string(),
      name: z.string(),
      online: z.boolean(),
      accepts_work: z.boolean(),
      loaded: z.array(z.string()),
      slots_used: z.number().int().nullable(),
      slots_total: z.number().int().nullable(),
      tokens_per_second: z.number().describe('sum over the running streams of the node'),
      queue: z.number().int().describe('requests waiting in the engines of the node'),
      memory_used_bytes: z.number().int().nullable(),
      memory_total_bytes: z.number().int().nullable(),
      vram_used_bytes: z
        .number()
        .int()
        .nullable()
        .describe('of all graphics processors that have memory of their own; null: none, or not known'),
      vram_total_bytes: z.number().int().nullable(),
      round_trip_ms: z.number().nullable(),
      problem: z.string().nullable(),
    }),
  ),
  requests: z.array(
    z.strictObject({
      object: z.literal('request'),
      id: z.string(),
      key: z.string().describe('name of the key, or its id if it has no name'),
      model: z.string(),
      node: z.string().nullable(),
      state: z.enum(['queued', 'prefill', 'decode']),
      output_events: z.number().int().nullable().describe('about one per token'),
      tokens_per_second: z.number().nullable(),
      age_ms: z.number().int(),
    }),
  ),
  errors: z.array(z.strictObject({ at: z.string(), subject: z.string(), message: z.string() })),
});

export type TopFrame = z.output<typeof topFrameShape>;
