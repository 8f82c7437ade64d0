import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { CliError } from '../../core/errors/cli-error.js';
import { readyFacts, type ReadyFacts } from './ready-facts.js';

/** Printed by `ferry up` when it is ready. */
export interface ReadyReport {
  readonly facts: ReadyFacts;
  /** This computer, as the relay sees it; undefined when the relay does not say. */
  readonly node: Schemas['Node'] | undefined;
  /** Names of the other computers of the account. */
  readonly others: readonly string[];
  /** For the next computer; null where it would not reach the relay, and for programs. */
  readonly join: Schemas['JoinToken'] | null;
}

interface Known {
  readonly base_url: string;
  readonly api_key: string;
  readonly cluster_id: string;
  readonly node_id: string;
  readonly model: string | null;
  readonly data_dir: string;
}

interface ReportOptions {
  /** The relay listens on this host. */
  readonly host: string;
  /** Programs get no join token: they would leave it unused at every start. */
  readonly forPeople: boolean;
}

/** Asks the relay for what only it knows. Nothing of it is needed to be ready, so nothing of it can fail the start. */
export async function readyReport(
  api: ManagementApi,
  known: Known,
  { host, forPeople }: ReportOptions,
): Promise<ReadyReport> {
  const [link, nodes] = await Promise.all([
    // A link works once, so every start that shows one makes its own. None where a browser cannot sign in.
    unlessRefused(api.post('/api/local/console-link')),
    unlessRefused(api.list('/api/nodes')),
  ]);
  const node = nodes?.find(({ node_id }) => node_id === known.node_id);
  const facts = readyFacts({ ...known, console_url: link?.url ?? null, model: stillLoaded(known.model, node) }, host);
  const wantsToken = forPeople && facts.network_urls.length > 0;
  const join = wantsToken
    ? await unlessRefused(api.post('/api/join-tokens', { body: { cluster_id: known.cluster_id } }))
    : undefined;
  const others = (nodes ?? []).filter(({ node_id, status }) => node_id !== known.node_id && status === 'active');
  return { facts, node, others: others.map(({ name }) => name), join: join?.reachable === 'network' ? join : null };
}

/** A second `ferry up` may come hours after the first one, which chose the model. */
function stillLoaded(model: string | null, node: Schemas['Node'] | undefined): string | null {
  if (node?.online !== true) return model;
  const loaded = node.models.filter(({ state, embedding }) => state === 'loaded' && !embedding);
  const isLoaded = loaded.some(({ display_name, selector }) => model === display_name || model === selector);
  return isLoaded ? model : (loaded[0]?.selector ?? null);
}

async function unlessRefused<ReceivedResponse>(
  asked: Promise<ReceivedResponse>,
): Promise<ReceivedResponse | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}
