import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineHttp } from '../http/engine-http.js';
import { command } from '../http/engine-command.js';
import { type ListedModel, type ModelNature, natureShown } from './inventory.js';

const SHOW_TIMEOUT_MS = 4_000;
/** Concurrency and limit per probe: the first probe of a large collection must not take minutes. The next probes read the rest. */
const SHOWS_AT_ONCE = 4;
const SHOWS_PER_PROBE = 64;

/**
 * Cache of `/api/show`, which alone reads the template within a GGUF and names the file of the weights. Read once per digest, because it
 * cannot change for a digest.
 */
export class ModelCapabilitiesCache {
  private readonly byDigest = new Map<string, ModelNature>();

  get(digest: string): ModelNature | undefined {
    return this.byDigest.get(digest);
  }

  /** Never rejects: failed reads are repeated at the next probe. */
  async learn(http: EngineHttp, listed: readonly ListedModel[]): Promise<void> {
    this.retainOnly(listed);
    const wanted = new Map<string, string>();
    for (const { name, digest } of listed) {
      if (digest !== null && !this.byDigest.has(digest)) wanted.set(digest, name);
    }
    const questions = [...wanted].slice(0, SHOWS_PER_PROBE);
    const ask = async (): Promise<void> => {
      for (let next = questions.pop(); next !== undefined; next = questions.pop()) {
        const [digest, name] = next;
        const response = await command(http, {
          method: 'POST',
          path: '/api/show',
          json: { model: name },
          signal: AbortSignal.timeout(SHOW_TIMEOUT_MS),
        });
        if (isJsonObject(response)) this.byDigest.set(digest, natureShown(response));
      }
    };
    // Each worker stops at its first failure, so that a stopped engine does not get sixty requests.
    await Promise.allSettled(Array.from({ length: SHOWS_AT_ONCE }, ask));
  }

  private retainOnly(listed: readonly ListedModel[]): void {
    const present = new Set(listed.map(({ digest }) => digest));
    for (const digest of this.byDigest.keys()) if (!present.has(digest)) this.byDigest.delete(digest);
  }
}
