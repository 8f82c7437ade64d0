import type { ChunkSource, EngineObject } from '../../../src/agent/engines/engine.js';

interface Offered {
  readonly batch: readonly EngineObject[];
  readonly taken: () => void;
  readonly left: (error: Error) => void;
}

/** The batches that an engine pushes, one at a time: the engine waits for each step. Leaving the loop cancels the request. */
export async function* batchesOf(source: ChunkSource): AsyncGenerator<readonly EngineObject[], void, undefined> {
  let arrived: (offered: Offered | undefined) => void = () => undefined;
  let next = new Promise<Offered | undefined>((resolve) => (arrived = resolve));
  // Before piping, which may deliver the first batch synchronously.
  let current = next;
  const piped = source.pipe((batch) => {
    const tell = arrived;
    next = new Promise((resolve) => (arrived = resolve));
    return new Promise<void>((taken, left) => {
      tell({ batch, taken, left });
    });
  });
  const over = piped.finally(() => {
    arrived(undefined);
  });
  over.catch(() => undefined);
  for (let offered = await current; offered !== undefined; offered = await current) {
    let finished = false;
    try {
      yield offered.batch;
      finished = true;
    } finally {
      if (!finished) offered.left(new Error('the reader left'));
    }
    current = next;
    offered.taken();
  }
  await over;
}
