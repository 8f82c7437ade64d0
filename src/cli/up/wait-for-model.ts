import { setTimeout } from 'node:timers/promises';
import { CliError } from '../failure/cli-error.js';
import { exitCodes } from '../failure/exit-codes.js';

const QUICKSTART_MODEL = 'tiny';
/** Usually it takes a second or two; after that, asking often would only fill the relay's log. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const PAUSE_GROWTH = 1.1;

interface ModelRecord {
  readonly id: string;
  readonly display_name?: string;
  readonly loaded?: boolean;
  readonly clusters: readonly { readonly cluster_id: string; readonly loaded?: boolean }[];
}

interface Wanted {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clusterId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks the public inventory until the quickstart's model is loaded, and returns its id. Whatever else is loaded by then will do.
 * @throws CliError when nothing is loaded in time
 */
export async function waitForModel({ baseUrl, apiKey, clusterId, timeoutMs, signal }: Wanted): Promise<string> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * PAUSE_GROWTH)) {
    const loaded = await loadedModels(baseUrl, apiKey, clusterId, signal);
    const wanted = loaded.find((model) => (model.display_name ?? model.id) === QUICKSTART_MODEL);
    if (wanted !== undefined) return wanted.id;
    if (performance.now() > deadline) {
      const [other] = loaded;
      if (other !== undefined) return other.id;
      throw new CliError('no_model_loaded', exitCodes.noEligibleNode, 'the node is connected but no model got loaded');
    }
    await setTimeout(pauseMs, undefined, { signal });
  }
}

/** Empty while the relay does not answer as it should: it may be on its way back. */
async function loadedModels(
  baseUrl: string,
  apiKey: string,
  clusterId: string,
  signal: AbortSignal,
): Promise<readonly ModelRecord[]> {
  try {
    const response = await fetch(`${baseUrl}/v1/models`, { headers: { authorization: `Bearer ${apiKey}` }, signal });
    const text = await response.text();
    if (!response.ok) return [];
    const { data } = JSON.parse(text) as { data: readonly ModelRecord[] };
    return data.filter(({ clusters }) =>
      clusters.some((cluster) => cluster.cluster_id === clusterId && cluster.loaded === true),
    );
  } catch {
    signal.throwIfAborted();
    return [];
  }
}
