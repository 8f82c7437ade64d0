import type { ChunkSource, EngineObject } from './engine.js';

/** What a generator yields, as an engine gives it. A taker that fails ends the generator. */
export const chunkSource = (batches: AsyncIterable<readonly EngineObject[]>): ChunkSource => ({
  async pipe(take) {
    for await (const batch of batches) {
      const taken = take(batch);
      if (taken !== undefined) await taken;
    }
  },
});
