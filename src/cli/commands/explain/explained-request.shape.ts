import { z } from 'zod';

const milliseconds = z.number().nullable();

const candidate = z.looseObject({
  node_id: z.string(),
  node_name: z.string(),
  cluster_id: z.string(),
  eligible: z.boolean(),
  reason: z.string().nullable().describe('why it was not eligible, or not chosen'),
  slots: z
    .looseObject({ used: z.number().int(), usable: z.number().int(), advertised: z.number().int() })
    .nullish()
    .describe('requests there, and how many at once it may have'),
  cost_ms: milliseconds.describe('predicted time; the lowest wins'),
  parts: z
    .looseObject({
      queue_ms: milliseconds,
      prefill_ms: milliseconds,
      decode_ms: milliseconds,
      link_ms: milliseconds,
      affinity_ms: milliseconds,
    })
    .nullable(),
});

/** `ferry explain`, as `GET /api/requests/{id}` has it. */
export const explainedRequestShape = z.looseObject({
  object: z.literal('request'),
  id: z.string(),
  model: z.string().nullable(),
  dialect: z.string(),
  decided_at: z.string().nullable(),
  outcome: z.string().nullable().describe('null while it goes on'),
  queue: z.looseObject({ waited_ms: milliseconds, position: z.number().int().nullable() }).nullable(),
  decisions: z.array(
    z.looseObject({
      at: z.string(),
      candidates: z.array(candidate),
      chosen: z.string().nullable().describe('id of a node; null: none'),
      reason: z.string().nullable(),
    }),
  ),
  attempts: z.array(
    z.looseObject({
      node_id: z.string(),
      node_name: z.string().nullable(),
      result: z.string().nullable(),
      reason: z.string().nullable(),
      hedge: z.boolean().default(false).describe('asked while another node was late'),
      at: z.string(),
    }),
  ),
  hedged: z.boolean().default(false).describe('two nodes had it at once'),
  retried: z.union([z.boolean(), z.number()]),
});

export type ExplainedRequest = z.output<typeof explainedRequestShape>;
