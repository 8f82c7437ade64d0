/** Decides which engines the node serves and where it discovers more: by flags, else by the engines file, else by defaults. */
import { loopbackTargets, pinnedTarget, type SearchTarget } from './discovery/search-targets.js';
import type { EngineEntry, RegisteredKind } from './engine-entry.js';
import { EnginesFileError } from './engines-file-error.js';
import { readEnginesFile, readEntry } from './engines-file.js';
import { baseUrlField } from './entry-fields.js';

/** Shorter than for discovery, because the user named the engine and waits for it. */
const PINNED_INTERVAL_MS = 3_000;

export interface EnginePlan {
  readonly entries: readonly EngineEntry[];
  /** Places that discovery searches while the node runs; empty: discovery is off. */
  readonly places: readonly SearchTarget[];
  readonly searchIntervalMs: number;
}

interface EnginePlanOptions {
  /** Addresses that were given by flag: only these are served then. */
  readonly engineUrls: readonly string[];
  readonly file: string;
  readonly kinds: readonly RegisteredKind[];
  /** False: the built-in engine is not among the defaults, because its packages are not here. */
  readonly hasBuiltIn?: boolean;
  readonly discovery: { readonly on: boolean; readonly ports: readonly number[]; readonly intervalMs: number };
}

/** @throws EnginesFileError */
export async function planEngines({
  engineUrls,
  file,
  kinds,
  hasBuiltIn = true,
  discovery,
}: EnginePlanOptions): Promise<EnginePlan> {
  if (engineUrls.length > 0) {
    const places = engineUrls.map((address) => pinnedTarget(engineAddress(address)));
    return { entries: [], places, searchIntervalMs: PINNED_INTERVAL_MS };
  }
  const written = await readEnginesFile(file, kinds);
  const entries = written?.engines ?? (hasBuiltIn ? [builtInEngine(kinds)] : []);
  // A file that lists engines turns discovery off unless it says otherwise.
  const wanted = written === undefined || (written.discover ?? written.engines.length === 0);
  const taken = entries.flatMap(({ address }) => (address === undefined ? [] : [address]));
  return {
    entries,
    places: discovery.on && wanted ? loopbackTargets(discovery.ports, taken) : [],
    searchIntervalMs: discovery.intervalMs,
  };
}

/** llama.cpp inside the node process, with the bundled models. */
const builtInEngine = (kinds: readonly RegisteredKind[]): EngineEntry =>
  readEntry({ kind: 'llamacpp' }, kinds, 'the built-in engine');

function engineAddress(address: string): URL {
  const parsed = baseUrlField.safeParse(address);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ message }) => message);
  throw new EnginesFileError(`engine address ${address} cannot be used: ${problems.join('; ')}`);
}
