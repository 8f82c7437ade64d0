/** `npm run bench` (short), `npm run bench -- --full`, and selections of scenarios and targets. See docs/internals/performance.md. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot, startProgram, stop } from './child.js';
import { reserveRelayCore } from './measure/cores.js';
import { publish } from './report/publish.js';
import { renderReport } from './report/report.js';
import { continued, machine, type Results } from './report/results.js';
import { scenarioTable } from './report/tables.js';
import { runScenario } from './run.js';
import { scenarios } from './scenarios/scenarios.js';
import { direct } from './targets/direct.js';
import {
  ferry,
  ferryBefore,
  ferryBeforeEmbedded,
  ferryEmbedded,
  ferryMetrics,
  ferryOnNode,
  ferryQuiet,
  ferryWorkers,
} from './targets/ferry.js';
import { nginx } from './targets/nginx.js';
import { nodeProxy } from './targets/node-proxy.js';
import { peerOf } from './targets/peer.js';
import { portkey } from './targets/portkey.js';
import { sshTunnel } from './targets/ssh-tunnel.js';

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    /** Number of rounds; default 5 with `--full`, else 2. */
    alternations: { type: 'string' },
    /** Comma-separated names of scenarios. */
    only: { type: 'string' },
    /** Comma-separated names of targets; scenarios with targets of their own keep them. */
    targets: { type: 'string' },
    /** Path of another built checkout of this repository, which alternates with this one. */
    against: { type: 'string' },
    /** `NAME=COMMAND` or `NAME@/path/v1=COMMAND` of another relay or proxy; may be given several times. */
    peer: { type: 'string', multiple: true, default: [] },
    /** A results file of this machine and commit; the scenarios of this run are added to it. */
    into: { type: 'string' },
    /** Leaves it to the system on which core a process runs. */
    unpinned: { type: 'boolean', default: false },
    /** Path of another Node binary; adds a target whose relay it runs. */
    'other-node': { type: 'string' },
    /** Folder for CPU profiles of Ferry's processes. */
    profile: { type: 'string' },
    /** Without measuring, writes the newest results into docs/internals/performance.md and draws the plot. */
    publish: { type: 'boolean', default: false },
  },
});

const resultsDirectory = path.join(repositoryRoot, 'bench/results');
const say = (text: string): void => void process.stderr.write(`${text}\n`);

if (values.publish) {
  say(await publish(repositoryRoot, resultsDirectory));
  process.exit(0);
}

if (values.profile !== undefined) process.env['BENCH_PROFILE_DIR'] = path.resolve(values.profile);
const wanted = values.only?.split(',');
const chosen = scenarios.filter(({ name, onlyFull }) => wanted?.includes(name) ?? (values.full || !onlyFull));
const everywhere = [direct, nginx, nodeProxy, sshTunnel, portkey, ferry, ferryEmbedded];
const named = values.targets?.split(',');
const peers =
  named === undefined
    ? everywhere
    : [...everywhere, ferryQuiet, ferryMetrics, ferryWorkers].filter(({ name }) => named.includes(name));
peers.push(...values.peer.map(peerOf));
if (values.against !== undefined) {
  const before = [ferryBefore(values.against), ferryBeforeEmbedded(values.against)];
  // On the database that `--targets` names, or else on Postgres.
  const namedBefore = before.filter(({ name }) => named?.includes(name));
  peers.push(...(namedBefore.length > 0 ? namedBefore : before.slice(0, 1)));
}
if (values['other-node'] !== undefined) {
  peers.push(ferryOnNode(values['other-node']));
  process.env['BENCH_OTHER_NODE'] = values['other-node'];
}
const pinned = !values.unpinned && reserveRelayCore();
const workDirectory = path.join(repositoryRoot, '.test-artifacts/bench');
rmSync(workDirectory, { recursive: true, force: true });
mkdirSync(workDirectory, { recursive: true });

const begun: Results = {
  date: new Date().toISOString().slice(0, 19),
  machine: machine(),
  pinned,
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: repositoryRoot, encoding: 'utf8' }).trim(),
  alternations: Number(values.alternations ?? (values.full ? 5 : 2)),
  versions: {},
  measurements: {},
  figures: {},
  notMeasured: [],
};
const results =
  values.into === undefined
    ? begun
    : continued(
        readFileSync(values.into, 'utf8'),
        begun,
        chosen.map(({ name }) => name),
      );

const engine = startProgram('engine/mock-engine.program.ts');
const [{ port }] = (await once(engine, 'message')) as [{ port: number }];
for (const scenario of chosen) {
  await runScenario(scenario, {
    results,
    peers,
    all: values.targets === undefined && values.against === undefined,
    pinned,
    engine: { url: `http://127.0.0.1:${port}`, process: engine },
    workDirectory,
    say,
  });
  say(`\n${scenarioTable(scenario, results)}`);
}
for (const target of peers) results.versions[target.name] = target.version();
await stop(engine);

mkdirSync(resultsDirectory, { recursive: true });
const name = `${results.date.replaceAll(':', '')}-${values.full ? 'full' : 'short'}`;
const file = values.into ?? path.join(resultsDirectory, `${name}.json`);
writeFileSync(file, `${JSON.stringify(results)}\n`);
writeFileSync(file.replace(/\.json$/, '.md'), renderReport(results, scenarios));
say(`written: ${path.relative(repositoryRoot, file)}`);
process.exit(0);
