import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineHttp } from '../http/engine-http.js';
import { command } from '../http/engine-command.js';
import { type ListedModel, type ModelNature, natureShown } from './inventory.js';

const SHOW_TIMEOUT_MS = 4_000;
/** Asked at once, and in one look: the first look at a large collection must not take minutes. The rest comes with the next ones. */
const SHOWS_AT_ONCE = 4;
const SHOWS_PER_PROBE = 64;

/**
 * What `/api/show` says about models whose list entries say too little (Ollama before it put capabilities into the list). Asked once per
 * digest, since it cannot change while the digest stays.
 */
export class ModelCapabilitiesCache {
  private readonly byDigest = new Map<string, ModelNature>();

  get(digest: string): ModelNature | undefined {
    return this.byDigest.get(digest);
  }

  /** Never rejects: what cannot be learned now is asked for at the next look. */
  async learn(http: EngineHttp, listed: readonly ListedModel[]): Promise<void> {
    this.forgetAllBut(listed);
    const wanted = new Map<string, string>();
    for (const { name, digest, nature } of listed) {
      const incomplete = nature.capabilities === null || nature.contextTokens === null;
      if (digest !== null && incomplete && !this.byDigest.has(digest)) wanted.set(digest, name);
    }
    const questions = [...wanted].slice(0, SHOWS_PER_PROBE);
    const ask = async (): Promise<void> => {
      for (let next = questions.pop(); next !== undefined; next = questions.pop()) {
        const [digest, name] = next;
        const answer = await command(http, {
          method: 'POST',
          path: '/api/show',
          json: { model: name },
          signal: AbortSignal.timeout(SHOW_TIMEOUT_MS),
        });
        if (isJsonObject(answer)) this.byDigest.set(digest, natureShown(answer));
      }
    };
    // The first refusal ends a line of questions: an engine that has just gone is not asked sixty times.
    await Promise.allSettled(Array.from({ length: SHOWS_AT_ONCE }, ask));
  }

  private forgetAllBut(listed: readonly ListedModel[]): void {
    const present = new Set(listed.map(({ digest }) => digest));
    for (const digest of this.byDigest.keys()) if (!present.has(digest)) this.byDigest.delete(digest);
  }
}
