import { setTimeout } from 'node:timers/promises';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';

const QUICKSTART_MODEL = 'tiny';
/** Usually it takes a second or two; after that, asking often would only fill the relay's log. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const PAUSE_GROWTH = 1.1;
/** A node that is not expected to load anything: engines elsewhere on the computer are found, and have said what they have, by then. */
const SETTLED_AFTER_MS = 3_000;

interface ModelRecord {
  readonly id: string;
  readonly display_name?: string;
  readonly loaded?: boolean;
  readonly clusters: readonly { readonly cluster_id: string; readonly loaded?: boolean }[];
}

interface NodeModel {
  readonly display_name: string;
  readonly state: string;
}

interface Wanted {
  /** False where the node's configuration does not serve the quickstart's model: whatever is loaded will do then, or nothing. */
  readonly expectsQuickstartModel: boolean;
  /** What this computer's own node says of its models; empty as long as it says nothing. */
  readonly nodeModels: () => Promise<readonly NodeModel[]>;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clusterId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks the public inventory until the quickstart's model is loaded. Whatever else is loaded will do when time is up, or when the node
 * says that it is not going to load that one.
 * @returns its id; null when no model is loaded and none is to be waited for. @throws CliError when the quickstart's model is not
 * loaded in time, nor any other
 */
export async function waitForModel(wish: Wanted): Promise<string | null> {
  return wish.expectsQuickstartModel ? waitForQuickstartModel(wish) : waitForAnyModel(wish);
}

/** Waits for what is loading, and otherwise only a moment: an engine that is off today must not hold up the relay. */
async function waitForAnyModel({
  nodeModels,
  baseUrl,
  apiKey,
  clusterId,
  timeoutMs,
  signal,
}: Wanted): Promise<string | null> {
  const startedMs = performance.now();
  for (;;) {
    const [any] = await loadedModels(baseUrl, apiKey, clusterId, signal);
    if (any !== undefined) return any.id;
    const models = await nodeModels().catch(() => []);
    const isLoading = models.some(({ state }) => state === 'loading');
    if (performance.now() - startedMs > (isLoading ? timeoutMs : Math.min(timeoutMs, SETTLED_AFTER_MS))) return null;
    await setTimeout(FIRST_PAUSE_MS, undefined, { signal });
  }
}

async function waitForQuickstartModel(wish: Wanted): Promise<string | null> {
  const { baseUrl, apiKey, clusterId, timeoutMs, signal } = wish;
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * PAUSE_GROWTH)) {
    const loaded = await loadedModels(baseUrl, apiKey, clusterId, signal);
    const wanted = loaded.find((model) => (model.display_name ?? model.id) === QUICKSTART_MODEL);
    if (wanted !== undefined) return wanted.id;
    const [other] = loaded;
    const prospect = prospectOf(await wish.nodeModels().catch(() => []));
    const isLate = performance.now() > deadline;
    if ((isLate || prospect !== 'open') && other !== undefined) return other.id;
    if (prospect === 'none wanted') return null;
    if (isLate || prospect === 'failed') {
      throw new CliError('no_model_loaded', exitCodes.noEligibleNode, 'the node is connected but no model got loaded');
    }
    await setTimeout(pauseMs, undefined, { signal });
  }
}

/** Whether the node may yet load the quickstart's model, or what its not doing so means. */
function prospectOf(models: readonly NodeModel[]): 'open' | 'another one' | 'none wanted' | 'failed' {
  const own = models.find(({ display_name }) => display_name === QUICKSTART_MODEL)?.state;
  const isSettled = models.every(({ state }) => state !== 'loading' && state !== 'unloading');
  if (!isSettled || (own !== 'installed' && own !== 'failed')) return 'open';
  if (models.some(({ state }) => state === 'loaded')) return 'another one';
  return models.every(({ state }) => state === 'installed') ? 'none wanted' : 'failed';
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
