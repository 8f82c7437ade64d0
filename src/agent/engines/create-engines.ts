/** Creates the engines of `engines.json`, which must have distinct names. */
import type { EngineEntry } from './engine-entry.js';
import type { ConfiguredCapabilities } from './configured-capabilities.js';
import type { EngineContext } from './engine-kind.js';
import type { Engine } from './engine.js';
import { EnginesFileError } from './engines-file-error.js';

/** An engine with the configured capabilities of its models. */
export interface ConfiguredEngine {
  readonly engine: Engine;
  readonly configured: ConfiguredCapabilities;
}

/** @throws EnginesFileError for problems that the schema cannot detect, such as a missing environment variable */
export async function createEngines(
  entries: readonly EngineEntry[],
  context: EngineContext,
): Promise<ConfiguredEngine[]> {
  const engines = await Promise.all(
    entries.map(async ({ create, configured }) => ({ engine: await create(context), configured })),
  );
  const names = engines.map(({ engine }) => engine.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return engines;
  throw new EnginesFileError(`two engines are called ${repeated}: give one of them a different "name"`);
}
