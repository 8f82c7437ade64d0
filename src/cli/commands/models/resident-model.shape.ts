import { z } from 'zod';
import type { Schemas } from '../../core/api/management-api.types.js';

/** Fields that `ferry models ps` adds to a model of a node. */
export const residentModelShape = z.object({
  model: z.string().describe('public id'),
  node_id: z.string(),
  node_name: z.string(),
});

/** A model that is loaded, loading or unloading on a node. */
export type ResidentModel = Schemas['NodeModel'] & z.output<typeof residentModelShape>;
