/** `npm run bench` (short) and `npm run bench -- --full`: all targets in turn, round after round, so that ratios hold on a noisy machine. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { once } from 'node:events';
import { repositoryRoot, startProgram, stop } from './child.js';
import { measure } from './measure/measure.js';
import { machine, renderReport, scenarioTable, type Results } from './report.js';
import { scenarios } from './scenarios.js';
import { direct } from './targets/direct.js';
import { ferry } from './targets/ferry.js';
import { nginx } from './targets/nginx.js';
import { nodeProxy } from './targets/node-proxy.js';
import { portkey } from './targets/portkey.js';
import { sshTunnel } from './targets/ssh-tunnel.js';

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    alternations: { type: 'string' },
    only: { type: 'string' },
    targets: { type: 'string' },
  },
});

const wanted = values.only?.split(',');
const chosen = scenarios.filter(({ name, onlyFull }) => wanted?.includes(name) ?? (values.full || !onlyFull));
const targets = [direct, nginx, nodeProxy, sshTunnel, portkey, ferry].filter(
  ({ name }) => values.targets === undefined || values.targets.split(',').includes(name),
);
const alternations = Number(values.alternations ?? (values.full ? 5 : 2));
const workDirectory = path.join(repositoryRoot, '.test-artifacts/bench');
rmSync(workDirectory, { recursive: true, force: true });
mkdirSync(workDirectory, { recursive: true });

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const results: Results = {
  date: new Date().toISOString().slice(0, 10),
  machine: machine(),
  alternations,
  versions: {},
  measurements: {},
  notMeasured: [],
};

const engine = startProgram('engine/mock-engine.ts');
const [{ port }] = (await once(engine, 'message')) as [{ port: number }];
const engineUrl = `http://127.0.0.1:${port}`;

for (const scenario of chosen) {
  const byTarget: (typeof results.measurements)[string] = {};
  results.measurements[scenario.name] = byTarget;
  const failed = new Set<string>();
  for (let round = 1; round <= alternations; round += 1) {
    for (const target of targets) {
      if (failed.has(target.name)) continue;
      try {
        const running = await target.start(engineUrl, workDirectory);
        try {
          const measurement = await measure(running, scenario);
          (byTarget[target.name] ??= []).push(measurement);
          const { load, relayMicros, perSecond } = measurement;
          say(
            `${scenario.name} ${round}/${alternations} ${target.name}: ${relayMicros.toFixed(1)} µs per ${scenario.unit}, ${perSecond.toFixed(0)}/s, transit p99 ${load.transit.p99.toFixed(1)} ms, first byte p50 ${load.firstByte.p50.toFixed(2)} ms, ${load.failures} failures${load.firstFailure === null ? '' : ` (${load.firstFailure})`}`,
          );
        } finally {
          await running.stop();
        }
      } catch (error) {
        failed.add(target.name);
        const why = `${scenario.name}, ${target.name}: ${error instanceof Error ? error.message : String(error)}`;
        results.notMeasured.push(why);
        say(`not measured: ${why}`);
      }
    }
  }
  say(`\n${scenarioTable(scenario, byTarget)}`);
}
for (const target of targets) (results.versions as Record<string, string>)[target.name] = target.version();
await stop(engine);

const directory = path.join(repositoryRoot, 'bench/results');
mkdirSync(directory, { recursive: true });
const name = `${results.date}-${values.full ? 'full' : 'short'}`;
writeFileSync(path.join(directory, `${name}.json`), `${JSON.stringify(results, null, 1)}\n`);
writeFileSync(path.join(directory, `${name}.md`), renderReport(results, scenarios));
say(`written: bench/results/${name}.md`);
process.exit(0);
