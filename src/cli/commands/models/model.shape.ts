import { z } from 'zod';

/** One row of `ferry models list`, as `GET /api/models` and `GET /v1/models` have it (docs/reference/public-api.md#model-record). */
export const modelShape = z.looseObject({
  id: z.string().describe('what a request names'),
  selector: z.string().optional().describe('mdl_…: names this one also when another has the same id'),
  display_name: z.string().optional(),
  canonical_name: z.string().optional(),
  object: z.literal('model'),
  created: z.number().int().describe('seconds since 1970'),
  owned_by: z.string(),
  loaded: z.boolean().optional().describe('on any cluster; only a loaded model answers'),
  clusters: z.array(z.looseObject({ cluster_id: z.string(), loaded: z.boolean().optional() })),
});

/** A model on one node. */
export const nodeModelShape = z.looseObject({
  key: z.string().describe('the node’s own name of it'),
  selector: z.string(),
  display_name: z.string(),
  engine: z.string(),
  state: z.string().describe('installed, loading, loaded, unloading or failed'),
  reason: z.string().nullable().optional().describe('engine_unreachable: its engine does not answer now'),
  size_bytes: z.number().nullable(),
  context_length: z.number().int().nullable(),
});

/** One row of `ferry models ps`: a model that takes memory on a node now, or is about to. */
export const residentModelShape = nodeModelShape.extend({
  model: z.string().describe('public id'),
  node_id: z.string(),
  node_name: z.string(),
});

export type ModelRecord = z.output<typeof modelShape>;
export type NodeModel = z.output<typeof nodeModelShape>;
export type ResidentModel = z.output<typeof residentModelShape>;
