import { z } from 'zod';

/** What `ferry models list` and `show` add to a model: the best of all nodes that have it. */
export const modelStateShape = z.object({
  state: z.string().describe('`loaded` on some online node, else `loading`, `unloading`, `failed` or `installed`'),
  reason: z.string().nullable().describe('why it is not loaded, such as `engine_unreachable`'),
  size_bytes: z.number().nullable(),
  context_length: z.number().nullable().describe('in tokens'),
});
