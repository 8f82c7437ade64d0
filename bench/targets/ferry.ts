import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { execFileSync, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { allocatorEnvironment } from '../../src/cli/core/supervision/allocator-environment.js';
import { pidOf, repositoryRoot, start, startProgram, stop } from '../child.js';
import { Conversation } from '../conversation.js';
import { enrolNodes, type EnrolledNodes } from '../fleet/enrol-nodes.js';
import type { IdleNodesCommand } from '../fleet/idle-nodes.program.js';
import { usageOf } from '../measure/process-usage.js';
import { postgresVersion, startPostgres, type RunningPostgres } from './postgres.js';
import type { Target } from './target.js';

/** Idle links per process of the fleet. */
const LINKS_PER_PROCESS = 2_500;
/** After links have changed, the relay stores their reports. It counts as idle below this share of a core. */
const REST_SHARE = 0.05;
const REST_WITHIN_MS = 120_000;
/** Prometheus reads every 15 s by default; more often here, so that each window has several readings. */
const SCRAPE_INTERVAL_MS = 2_000;

export interface Fleet {
  /** Number of real nodes in front of the engine. */
  readonly serving: number;
  /** Number of links without an engine. */
  readonly idle: number;
  readonly modelsEach: number;
  readonly distinctModels: boolean;
  /** This many idle nodes connect, send their inventory and disconnect again. */
  readonly leave: number;
  /** An `embedded` database runs inside the relay and counts towards its CPU and memory. */
  readonly database: 'postgres' | 'embedded';
  /** Absent: as installed, with a line for each request. */
  readonly logLevel?: 'warn';
  /** Processes of the relay; absent: one. */
  readonly workers?: number;
  /** Serves metrics, which are read all the time. Absent: as installed, without. */
  readonly metrics?: true;
  /** Absent: the Node that runs the bench. */
  readonly node?: string;
  /** Options of Node for the relay. */
  readonly relayFlags?: readonly string[];
}

const servingOnly: Fleet = {
  serving: 10,
  idle: 0,
  modelsEach: 1,
  distinctModels: false,
  leave: 0,
  database: 'postgres',
};

interface Credentials {
  readonly base_url: string;
  readonly api_key: string;
  readonly cli_token: string;
}

/** Folder for CPU profiles of relay and nodes (`--profile`). */
const profiling = (): readonly string[] => {
  const directory = process.env['BENCH_PROFILE_DIR'];
  return directory === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', directory];
};

const until = async <Value>(what: string, probe: () => Promise<Value | undefined>): Promise<Value> => {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const value = await probe().catch(() => undefined);
    if (value !== undefined) return value;
    await delay(100);
  }
  throw new Error(`not in time: ${what}`);
};

export async function startRelay(
  root: string,
  directory: string,
  postgres: RunningPostgres | undefined,
  { logLevel, metrics, workers, node = process.execPath, relayFlags = [] }: Partial<Fleet> = {},
): Promise<{ relay: ChildProcess; credentials: Credentials }> {
  const credentialsFile = path.join(directory, 'credentials.json');
  rmSync(credentialsFile, { force: true });
  const relay = start(node, [...profiling(), ...relayFlags, path.join(root, 'bin/ferry.js'), 'serve'], {
    // The log, which goes to stderr, to a file, as a service does: a line costs its write, which the null device would hide.
    stdio: ['ignore', 'ignore', openSync(path.join(directory, 'relay.log'), 'a')],
    env: {
      // As a service has it.
      ...allocatorEnvironment,
      ...process.env,
      FERRY_PORT: '0',
      FERRY_DATA_DIR: directory,
      FERRY_CONFIG_DIR: directory,
      FERRY_BOOTSTRAP_CREDENTIALS_FILE: credentialsFile,
      FERRY_NODES_PER_ACCOUNT: '100000',
      ...(logLevel && { FERRY_LOG_LEVEL: logLevel }),
      ...(metrics && { FERRY_METRICS_PORT: '0' }),
      ...(workers !== undefined && { FERRY_WORKERS: String(workers) }),
      ...(postgres && { DATABASE_URL: postgres.url, FERRY_SECRET: 'of the benchmark and of nothing else' }),
    },
  });
  const credentials = await until('the relay is ready', async () => {
    const read = JSON.parse(readFileSync(credentialsFile, 'utf8')) as Credentials;
    return (await fetch(`${read.base_url}/readyz`)).ok ? read : undefined;
  });
  return { relay, credentials };
}

/** @returns stops it */
async function scrape(directory: string): Promise<() => void> {
  const port = await until('the relay serves metrics', () => {
    const log = readFileSync(path.join(directory, 'relay.log'), 'utf8');
    return Promise.resolve(/"port":(\d+),"msg":"serving \/metrics"/.exec(log)?.[1]);
  });
  const read = async (): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    if (!response.ok) throw new Error(`/metrics answered ${response.status}`);
    await response.text();
  };
  await read();
  const timer = setInterval(() => {
    read().catch((error: unknown) => {
      // Without readings the figures would be those of a relay that nothing scrapes.
      process.exitCode = 1;
      process.stderr.write(`reading metrics failed: ${String(error)}\n`);
    });
  }, SCRAPE_INTERVAL_MS);
  return () => {
    clearInterval(timer);
  };
}

interface ListedNode {
  readonly online: boolean;
  readonly models: readonly { readonly engine: string }[];
}

/** Reads all pages, because idle nodes come first. */
export async function* allNodes({ base_url, cli_token }: Credentials): AsyncGenerator<ListedNode> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const response = await fetch(`${base_url}/api/nodes?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`, {
      headers: { authorization: `Bearer ${cli_token}` },
    });
    const page = (await response.json()) as { data: ListedNode[]; next_cursor: string | null };
    yield* page.data;
    cursor = page.next_cursor;
  }
}

export async function createJoinToken({ base_url, cli_token }: Credentials): Promise<string> {
  const response = await fetch(`${base_url}/api/join-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${cli_token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await response.json()) as { join_token: string }).join_token;
}

async function startServing(
  root: string,
  credentials: Credentials,
  engineUrl: string,
  directory: string,
  count: number,
) {
  const joinTokens = await Promise.all(Array.from({ length: count }, () => createJoinToken(credentials)));
  const nodes = startProgram('fleet/serving-nodes.program.ts', {}, profiling(), root);
  await new Conversation(nodes).ask({ relayUrl: credentials.base_url, engineUrl, directory, joinTokens });
  await until('all nodes are online with their model', async () => {
    let online = 0;
    for await (const node of allNodes(credentials)) {
      if (node.online && node.models.some(({ engine }) => engine !== 'idle')) online += 1;
    }
    return online >= count ? true : undefined;
  });
  return nodes;
}

async function settled(relay: ChildProcess): Promise<void> {
  const end = performance.now() + REST_WITHIN_MS;
  const cpu = (): number => usageOf([pidOf(relay)]).cpuSeconds;
  for (let before = cpu(); performance.now() < end; before = cpu()) {
    await delay(1_000);
    if (cpu() - before < REST_SHARE) return;
  }
}

async function startIdle({ ids, privateKey }: EnrolledNodes, relayUrl: string, fleet: Fleet): Promise<ChildProcess[]> {
  const programs: ChildProcess[] = [];
  for (let from = 0; from < ids.length; from += LINKS_PER_PROCESS) {
    const program = startProgram('fleet/idle-nodes.program.ts');
    programs.push(program);
    const conversation = new Conversation<IdleNodesCommand, number>(program);
    const share = ids.slice(from, from + LINKS_PER_PROCESS);
    const { modelsEach, distinctModels } = fleet;
    await conversation.ask({ kind: 'connect', relayUrl, privateKey, ids: share, modelsEach, distinctModels });
    if (fleet.leave > 0) await conversation.ask({ kind: 'keep', count: fleet.idle - fleet.leave });
  }
  return programs;
}

/**
 * The complete path through Ferry: HTTP, relay, link, nodes, and the engine behind each node.
 * @param root the built checkout whose relay and nodes run; the idle nodes always come from this checkout
 */
export const ferryWith = (name: string, changes: Partial<Fleet> = {}, root = repositoryRoot): Target => ({
  name,
  version: () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    return changes.database === 'embedded' ? version : `${version} with ${postgresVersion()}`;
  },
  async start(engineUrl, workDirectory) {
    const fleet = { ...servingOnly, ...changes };
    // Several fleets of one scenario run at the same time.
    mkdirSync(workDirectory, { recursive: true });
    const directory = mkdtempSync(path.join(workDirectory, 'ferry-'));
    const postgres = fleet.database === 'postgres' ? await startPostgres() : undefined;
    let { relay, credentials } = await startRelay(root, directory, postgres, fleet);
    let enrolled: EnrolledNodes | undefined;
    if (fleet.idle > 0) {
      await stop(relay);
      enrolled = await enrolNodes(postgres?.url ?? path.join(directory, 'relay/pgdata'), fleet.idle);
      ({ relay, credentials } = await startRelay(root, directory, postgres, fleet));
    }
    const nodes =
      fleet.serving > 0 ? await startServing(root, credentials, engineUrl, directory, fleet.serving) : undefined;
    const stopScraping = fleet.metrics && (await scrape(directory));
    const bytesWithoutIdle = usageOf([pidOf(relay)]).residentBytes;
    const idle = enrolled === undefined ? [] : await startIdle(enrolled, credentials.base_url, fleet);
    if (idle.length > 0) await settled(relay);
    return {
      url: `${credentials.base_url}/v1/chat/completions`,
      headers: { authorization: `Bearer ${credentials.api_key}` },
      relayPids: [pidOf(relay)],
      isNode: true,
      nodePids: nodes === undefined ? [] : [pidOf(nodes)],
      databasePids: postgres === undefined ? [] : [postgres.pid],
      bytesWithoutIdle,
      stop: async () => {
        stopScraping?.();
        await Promise.all([...idle, ...(nodes === undefined ? [] : [nodes])].map((program) => stop(program)));
        await stop(relay);
        await postgres?.stop();
      },
    };
  },
});

export const ferry: Target = ferryWith('Ferry');
export const ferryEmbedded: Target = ferryWith('Ferry (embedded database)', { database: 'embedded' });

/** What the line for each request costs. */
export const ferryQuiet: Target = ferryWith('Ferry (log level warn)', { logLevel: 'warn' });

/** A process for each of two cores; the generator and the nodes want them, too. */
export const ferryWorkers: Target = ferryWith('Ferry (2 workers)', { workers: 2 });

/** What metrics cost. */
export const ferryMetrics: Target = ferryWith('Ferry (metrics)', { metrics: true });

/** @param node path of another Node binary, which runs the relay */
export const ferryOnNode = (node: string): Target =>
  ferryWith(`Ferry (Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()})`, { node });

/** Another built checkout of this repository, to compare a change. Both alternate, so a drift of the machine's speed does not matter. */
export const ferryBefore = (root: string): Target => ferryWith('Ferry before', {}, path.resolve(root));
export const ferryBeforeEmbedded = (root: string): Target =>
  ferryWith('Ferry before (embedded database)', { database: 'embedded' }, path.resolve(root));
