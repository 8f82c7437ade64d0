import { setTimeout } from 'node:timers/promises';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';

export const QUICKSTART_MODEL = 'tiny';
/** Loading usually takes a second or two; after that, frequent polling would only fill the relay's log. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const PAUSE_GROWTH = 1.1;
/** The built-in engine may take this long to report its models, counted from the connection of the node. */
const BUILT_IN_REPORTS_WITHIN_MS = 10_000;
/** The same where it tries a graphics processor first: its driver compiles for the first time, and once more without flash attention. */
const PREPARED_WITHIN_MS = 240_000;
/** Other engines have been probed when the node connects; slower ones, and the relay's inventory, get this long. */
const OTHERS_REPORT_WITHIN_MS = 1_000;

interface ModelRecord {
  readonly id: string;
  readonly display_name?: string;
  readonly loaded?: boolean;
  readonly clusters: readonly { readonly cluster_id: string; readonly loaded?: boolean }[];
}

/** This computer, as the relay sees it. */
interface OwnNode {
  readonly online: boolean;
  readonly models: readonly { readonly display_name: string; readonly state: string }[];
}

interface RequestedModel {
  /** False where this computer does not serve the quickstart's model: whatever is loaded will do then, or nothing. */
  readonly expectsQuickstartModel: boolean;
  /** The built-in engine tries a graphics processor before it reports its models. */
  readonly preparesGraphics: boolean;
  readonly ownNode: () => Promise<OwnNode | undefined>;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clusterId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until this computer is connected and, where it loads the quickstart's model, until that is loaded. Nothing else is waited for: an
 * engine that is off, or a large model that takes minutes, must not hold up the relay.
 * @returns the id of a loaded model, the quickstart's where possible; null when none is loaded
 * @throws CliError when this computer does not connect to the relay in time
 */
export async function waitForModel(wanted: RequestedModel): Promise<string | null> {
  const { baseUrl, apiKey, clusterId, preparesGraphics, signal } = wanted;
  const reportsWithinMs = preparesGraphics ? PREPARED_WITHIN_MS : BUILT_IN_REPORTS_WITHIN_MS;
  const deadline = performance.now() + (preparesGraphics ? PREPARED_WITHIN_MS : wanted.timeoutMs);
  let onlineSinceMs: number | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * PAUSE_GROWTH)) {
    const node = await wanted.ownNode().catch(() => undefined);
    const loaded = await loadedModels(baseUrl, apiKey, clusterId, signal);
    const quickstart = loaded.find((model) => (model.display_name ?? model.id) === QUICKSTART_MODEL);
    if (quickstart !== undefined) return quickstart.id;
    const nowMs = performance.now();
    if (node?.online === true) {
      onlineSinceMs ??= nowMs;
      const onlineForMs = nowMs - onlineSinceMs;
      const isSettled = wanted.expectsQuickstartModel
        ? !mayLoadQuickstartModel(node, onlineForMs < reportsWithinMs)
        : hasReported(node, loaded.length, onlineForMs);
      if (isSettled || nowMs > deadline) return loaded[0]?.id ?? null;
    } else if (nowMs > deadline) {
      throw new CliError('node_not_connected', exitCodes.failure, 'this computer did not connect to its own relay', {
        hint: 'ferry logs --part node says why; then ferry up again',
      });
    }
    await setTimeout(pauseMs, undefined, { signal });
  }
}

function mayLoadQuickstartModel({ models }: OwnNode, mayReport: boolean): boolean {
  const own = models.find(({ display_name }) => display_name === QUICKSTART_MODEL)?.state;
  if (own === undefined) return mayReport;
  // Models are loaded one after the other: it may be the next one.
  return !['installed', 'failed'].includes(own) || models.some(({ state }) => ['loading', 'unloading'].includes(state));
}

/** The node's models reach the inventory of the relay a moment later. */
function hasReported({ models }: OwnNode, loaded: number, onlineForMs: number): boolean {
  const isKnown = models.length > 0 && (loaded > 0 || models.every(({ state }) => state !== 'loaded'));
  return isKnown || onlineForMs >= OTHERS_REPORT_WITHIN_MS;
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
