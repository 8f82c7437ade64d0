/** The entry point of the node: from settings and files to a running agent. The command line imports it when it needs it. */
import pino from 'pino';
import { systemClock } from '../kernel/clock.js';
import { dataDirectory } from '../kernel/data-directory.js';
import { AdvisedError } from '../kernel/errors/advised-error.js';
import { logDestination } from '../kernel/log/log-destination.js';
import { LiveSettings, reloadSettings } from '../kernel/settings/live-settings.js';
import { UNHANDLED_FAILURE, UnhandledFailures } from '../kernel/unhandled-failures.js';
import { agentSettings, type AgentSettings } from './agent-settings.js';
import { agentVersion } from './agent-version.js';
import { createAgent, refusalText, type Agent } from './agent.js';
import type { AgentStatus } from './agent-status.js';
import { relayNetwork } from './connection/relay-network.js';
import { systemTimers } from './connection/timers.js';
import { createEngines } from './engines/create-engines.js';
import { createFoundEngine } from './engines/discovery/create-found-engine.js';
import { EngineSearch } from './engines/discovery/engine-search.js';
import { TargetProbe } from './engines/discovery/target-probe.js';
import type { EngineCatalogue } from './engines/engine-catalogue.js';
import type { EngineContext } from './engines/engine-kind.js';
import { engineKinds } from './engines/engine-kinds.js';
import { planEngines, type EnginePlan } from './engines/engine-plan.js';
import { enginesFileOf } from './engines-file-path.js';
import { loadAgentSettings } from './load-agent-settings.js';
import { engineDirectory, engineRemedy, isBuiltInEngineInstalled } from './engines/llamacpp/engine-packages.js';
import { nodeDirectory, readIdentity, type NodeIdentity } from './enrolment/node-identity.js';
import { addressText, parseRelayAddress } from './connection/relay-address.js';

export {
  joinCluster,
  JoinError,
  type JoinedNode,
  type JoinErrorReason,
  type JoinOptions,
} from './enrolment/join-cluster.js';
export { joinByDeviceCode, type DeviceCode } from './enrolment/join-by-device-code.js';
export { identityFile, NodeIdentityError, readIdentity } from './enrolment/node-identity.js';
export { loadAgentSettings } from './load-agent-settings.js';
export { RelayAddressError } from './connection/relay-address.js';
export { CaFileError } from './connection/trusted-authorities.js';
export { ProxyError } from './connection/relay-proxy.js';
export { EnginesFileError } from './engines/engines-file-error.js';
export { diagnoseEngineFiles, diagnoseNode } from './doctor/diagnose.js';
export { diagnoseRelay } from './doctor/diagnose-relay.js';
export type { Finding, Verdict } from './doctor/finding.js';
export type { AgentStatus } from './agent-status.js';

export interface NodeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Wins over the environment, which wins over the identity. */
  readonly relayUrl?: string | undefined;
  /** Addresses of engines. When given, the engines file and discovery are not used. */
  readonly engineUrls?: readonly string[] | undefined;
  /** Allows a relay without TLS that is not on this computer, where it differs from the one that was joined. */
  readonly allowInsecure?: boolean | undefined;
}

export interface RunningNode {
  readonly nodeId: string;
  readonly relayUrl: string;
  status(): AgentStatus;
  /** Reads the settings file again, and changes the settings that may change while the node runs. Never throws. */
  reload(): void;
  /** The relay is known to be ready again: connects now instead of after the back-off. */
  reconnect(): void;
  /** Drains running requests within the deadline, then stops. */
  close(): Promise<void>;
  /** Rejects with {@link NodeRefusedError} when the relay refuses this node for good; the node has stopped by then. */
  readonly failed: Promise<never>;
  /** Resolves when the relay has taken this node, or could not be reached: whether it refuses the node is not known then. */
  readonly tried: Promise<void>;
}

/** This computer has not joined a cluster. */
export class NotJoinedError extends AdvisedError {
  override readonly name = 'NotJoinedError';
}

/** The relay revoked or does not know this node. */
export class NodeRefusedError extends AdvisedError {
  override readonly name = 'NodeRefusedError';
}

/**
 * @throws SettingsError, NotJoinedError, NodeIdentityError, RelayAddressError, CaFileError, ProxyError, EnginesFileError,
 *   InstanceLockedError: all for people
 */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  limitBufferPool();
  const { env } = options;
  const directory = dataDirectory(env);
  const load = () => loadAgentSettings(env, { relayUrl: options.relayUrl });
  const { values, warnings } = load();
  const live = new LiveSettings(agentSettings, values);
  const settings = live.values;
  const identity = await readIdentity(directory);
  if (identity === undefined) {
    throw new NotJoinedError(
      'this computer has not joined a cluster',
      'ferry nodes join-token, then here: ferry node join <token>',
    );
  }
  const log = pino(
    { name: 'ferry-node', level: settings.logLevel },
    logDestination(pino.destination({ dest: 2, sync: true }), process.stderr, env),
  );
  for (const warning of warnings) log.warn(warning);
  const failures = new UnhandledFailures((failure) => {
    log.error(failure, UNHANDLED_FAILURE);
  });
  const hasBuiltIn = isBuiltInEngineInstalled(env);
  const plan = await enginePlan(settings, directory, options.engineUrls ?? [], hasBuiltIn);
  if (!hasBuiltIn && plan.entries.length === 0) {
    const remedy = engineRemedy(engineDirectory(env));
    log.warn({ engine: 'llamacpp' }, `the built-in engine is not installed: ${remedy}`);
  }
  const context: EngineContext = {
    env,
    directory: nodeDirectory(directory),
    userAgent: `ferry-node/${agentVersion}`,
    installSources: settings.installSources,
    gpu: settings.llamacppGpu,
    clock: systemClock,
    log: (engine, level, message) => {
      log[level]({ engine }, message);
    },
  };
  const engines = await createEngines(plan.entries, context);
  const relay = relayOf(identity, settings, options.allowInsecure ?? false);
  const agent = createAgent(
    {
      ...relay,
      network: await relayNetwork(relay.relay, settings.caFile),
      settings,
      identity,
      nodeName: settings.nodeName ?? identity.node_name,
      dataDirectory: directory,
      engines,
      search: engineSearch(plan, context, (level, message) => {
        log[level](message);
      }),
    },
    { clock: systemClock, timers: systemTimers, random: Math.random, log },
  );
  // A process without the handler ends with the first rejection that no code handles, and all requests of this node with it.
  const stopWatching = failures.watchProcess();
  try {
    await agent.start();
  } catch (error) {
    await agent.stop();
    stopWatching();
    throw error;
  }
  return runningNode(agent, stopWatching, () => {
    reloadSettings(live, load, log);
    log.level = settings.logLevel;
  });
}

/**
 * Runs the node until SIGTERM or Ctrl-C, which drain it; a second signal ends it at once.
 * @returns 0 after a requested stop. @throws as {@link startNode}, and NodeRefusedError
 */
export async function runNode(options: NodeOptions): Promise<number> {
  const node = await startNode(options);
  const signals = ['SIGTERM', 'SIGINT'] as const;
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  // Not `once`: write-file-atomic listens during a write, too, and re-raises the signal with its default effect when its listener is the
  // only one left.
  for (const signal of signals) process.on(signal, stop);
  await Promise.race([stopped, node.failed]);
  // From here on a signal has its default effect again: the second one ends the process.
  for (const signal of signals) process.off(signal, stop);
  await node.close();
  return 0;
}

const POOL_BYTES = 8 * 1024;

/**
 * Small buffers are parts of one larger piece of memory, which stays as long as one of them does. Node 24.21 made it 64 KiB instead of 8:
 * a stream that waits for credit keeps a few small buffers, and hundreds of such streams keep 80 KiB each instead of 50.
 */
export function limitBufferPool(): void {
  Buffer.poolSize = Math.min(Buffer.poolSize, POOL_BYTES);
}

function runningNode(agent: Agent, stopWatching: () => void, reload: () => void): RunningNode {
  const { node_id: nodeId, relay_url: relayUrl } = agent.status();
  const failed = agent.refused.then(async (reason): Promise<never> => {
    await agent.stop();
    stopWatching();
    throw new NodeRefusedError(
      refusalText(reason),
      'ferry nodes join-token, then here: ferry node join <token> --force',
    );
  });
  // An unobserved rejection would end the process of a caller that does not use `failed`.
  failed.catch(() => undefined);
  return {
    nodeId,
    relayUrl,
    status: () => agent.status(),
    reload,
    reconnect: () => {
      agent.reconnect();
    },
    close: async () => {
      await agent.drain();
      await agent.stop();
      stopWatching();
    },
    failed,
    tried: agent.tried,
  };
}

const enginePlan = (
  settings: AgentSettings,
  directory: string,
  engineUrls: readonly string[],
  hasBuiltIn: boolean,
): Promise<EnginePlan> =>
  planEngines({
    engineUrls,
    file: enginesFileOf(settings, directory),
    kinds: engineKinds,
    hasBuiltIn,
    discovery: {
      on: settings.discovery === 'on',
      ports: settings.discoveryPorts,
      intervalMs: settings.discoveryIntervalMs,
    },
  });

/** Undefined when discovery has no places to search. */
function engineSearch(
  { places, searchIntervalMs: intervalMs }: EnginePlan,
  context: EngineContext,
  log: (level: 'info' | 'warn', message: string) => void,
): ((catalogue: EngineCatalogue) => EngineSearch) | undefined {
  if (places.length === 0) return undefined;
  const probe = new TargetProbe(context.userAgent);
  return (catalogue) =>
    new EngineSearch({
      places,
      intervalMs,
      catalogue,
      create: (kind, url, isFree) => createFoundEngine(kind, url, isFree, { kinds: engineKinds, context }),
      get: (base, where) => probe.get(base, where),
      timers: systemTimers,
      log,
    });
}

/**
 * Reads the engines file as {@link startNode} would, so that a computer does not join a cluster and then cannot start.
 * @throws EnginesFileError
 */
export async function checkEnginesFile(env: NodeOptions['env']): Promise<void> {
  await enginePlan(loadAgentSettings(env).values, dataDirectory(env), [], isBuiltInEngineInstalled(env));
}

/** The joined address is used as it is, because the user has accepted it; a different one is validated like a new one. */
function relayOf(
  identity: NodeIdentity,
  settings: AgentSettings,
  allowInsecure: boolean,
): { relay: URL; relayHost: string } {
  if (settings.relayUrl === undefined) return { relay: new URL(identity.relay_url), relayHost: identity.relay_host };
  const relay = parseRelayAddress(settings.relayUrl, { allowInsecure });
  return { relay, relayHost: addressText(relay) === identity.relay_url ? identity.relay_host : relay.host };
}
