import { setTimeout } from 'node:timers/promises';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';

const QUICKSTART_MODEL = 'tiny';
/** Loading usually takes a second or two; after that, frequent polling would only fill the relay's log. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const PAUSE_GROWTH = 1.1;
/** Grace period for a node that loads no model by itself: engines on the computer have been discovered and have reported by then. */
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
  /** False when the node's configuration does not serve the quickstart's model: then any loaded model is sufficient, or none. */
  readonly expectsQuickstartModel: boolean;
  /** Reports of this computer's own node; empty until it reports. */
  readonly nodeModels: () => Promise<readonly NodeModel[]>;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clusterId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Polls the public inventory until the quickstart's model is loaded. Any other loaded model is sufficient at the timeout, or when the
 * node reports that it will not load that one.
 * @returns its id; null when no model is loaded and none is expected. @throws CliError when neither the quickstart's model nor any
 * other is loaded in time
 */
export async function waitForModel(wish: Wanted): Promise<string | null> {
  return wish.expectsQuickstartModel ? waitForQuickstartModel(wish) : waitForAnyModel(wish);
}

/** Waits for models that are loading, and otherwise only briefly: a stopped engine must not delay the relay. */
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

/** Whether the node may still load the quickstart's model, or why it will not. */
function prospectOf(models: readonly NodeModel[]): 'open' | 'another one' | 'none wanted' | 'failed' {
  const own = models.find(({ display_name }) => display_name === QUICKSTART_MODEL)?.state;
  const isSettled = models.every(({ state }) => state !== 'loading' && state !== 'unloading');
  if (!isSettled || (own !== 'installed' && own !== 'failed')) return 'open';
  if (models.some(({ state }) => state === 'loaded')) return 'another one';
  return models.every(({ state }) => state === 'installed') ? 'none wanted' : 'failed';
}

/** Empty while the relay does not respond correctly: it may be restarting. */
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
