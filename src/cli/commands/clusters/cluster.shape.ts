import { z } from 'zod';

/** One row of the cluster roster (docs/reference/public-api.md#routes), as `GET /api/clusters` has it. */
export const clusterShape = z.looseObject({
  object: z.literal('cluster'),
  cluster_id: z.string(),
  name: z.string(),
  nodes: z.number().int().describe('enrolled, online or not'),
  online: z.number().int(),
  loaded: z.array(z.string()).describe('names of the models that are ready on an online node'),
  models: z.number().int().describe('on online nodes, loaded or not'),
  created: z.number().int().describe('seconds since 1970'),
});

export type ClusterRecord = z.output<typeof clusterShape>;
