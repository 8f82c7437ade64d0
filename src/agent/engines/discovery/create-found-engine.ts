/** Creates the engine for a fingerprint, as if it was configured in `engines.json`. */
import type { RegisteredKind } from '../engine-entry.js';
import type { EngineContext } from '../engine-kind.js';
import type { Engine } from '../engine.js';
import { readEntry } from '../engines-file.js';

const GENERIC = 'openai-compatible';

/** Fingerprints that share an adapter: the two modes of llama-server. */
const adapters: Readonly<Record<string, string>> = {
  'llamacpp-server': 'llama-server',
  'llamacpp-router': 'llama-server',
};

/** Engines without an adapter of their own use the generic one. */
function adapterOf(fingerprint: string, kinds: readonly RegisteredKind[]): string {
  const kind = adapters[fingerprint] ?? fingerprint;
  return kinds.some((registered) => registered.kind === kind) ? kind : GENERIC;
}

/** @returns undefined when the node has an engine of that name, and of the longer one, too, or no room for another */
export async function createFoundEngine(
  fingerprint: string,
  url: URL,
  isFree: (name: string) => boolean,
  { kinds, context }: { readonly kinds: readonly RegisteredKind[]; readonly context: EngineContext },
): Promise<Engine | undefined> {
  const kind = adapterOf(fingerprint, kinds);
  const make = (name?: string): Promise<Engine> =>
    readEntry(
      { kind, base_url: url.href, ...(name === undefined ? {} : { name }) },
      kinds,
      `engine address ${url.href}`,
    ).create(context);
  const engine = await make();
  if (isFree(engine.name)) return engine;
  await engine.stop();
  // Names of engines have no brackets, which addresses of IPv6 do.
  const longer = `${kind}@${url.host.replace(/[[\]]/g, '')}`;
  return isFree(longer) ? make(longer) : undefined;
}
