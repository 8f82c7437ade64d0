/** Chunks of an engine as the dialects get them: behind the one reader of what engines send. */
import type { JsonObject } from '../../../src/kernel/json-object.js';
import { ChunkNormaliser } from '../../../src/agent/engines/response/chunk-normaliser.js';

/** The chunks themselves are left as they are. */
export function normalisedChunks(chunks: readonly JsonObject[]): readonly JsonObject[] {
  const normaliser = new ChunkNormaliser({ route: 'chat', body: Buffer.from('{}') });
  const out: JsonObject[] = [];
  for (const chunk of chunks) normaliser.take(structuredClone(chunk), true, out);
  normaliser.end(out);
  return out;
}
