import { z } from 'zod';
import type { Schemas } from '../../core/api/management-api.types.js';

/** What `ferry models ps` adds to a model of a node. */
export const residentModelShape = z.object({
  model: z.string().describe('public id'),
  node_id: z.string(),
  node_name: z.string(),
});

/** A model that takes memory on a node now, or is about to. */
export type ResidentModel = Schemas['NodeModel'] & z.output<typeof residentModelShape>;
