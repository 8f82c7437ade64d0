import type { ChunkSource, EngineObject } from './engine.js';

/** A chunk source from a generator of batches. A failing consumer ends the generator. */
export const chunkSource = (batches: AsyncIterable<readonly EngineObject[]>): ChunkSource => ({
  async pipe(take) {
    for await (const batch of batches) {
      const taken = take(batch);
      if (taken !== undefined) await taken;
    }
  },
});
