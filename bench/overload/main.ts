/**
 * `npm run bench:overload`: streams per second that a relay completes in time, by how many are begun per second, and how many it refuses.
 * With `--busy N`, beside N programs that only use the processor.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { start, startProgram, stop } from '../child.js';
import { moveToRelayCore, reserveRelayCore } from '../measure/cores.js';
import { usageOf } from '../measure/process-usage.js';
import { ferryWith } from '../targets/ferry.js';
import type { Target } from '../targets/target.js';
import { OpenLoop, type Tally } from './open-loop.js';

const { values } = parseArgs({
  options: {
    /** Streams begun per second, one run each. */
    rates: { type: 'string', default: '100,200,400,800' },
    /** How long streams are begun. */
    seconds: { type: 'string', default: '10' },
    /** Of each stream. */
    events: { type: 'string', default: '50' },
    'interval-ms': { type: 'string', default: '20' },
    /** A stream that ends later than this after its engine is not counted. */
    'late-ms': { type: 'string', default: '2000' },
    /** Foreign programs that only use the processor. */
    busy: { type: 'string', default: '0' },
    /** Path of another built checkout of this repository, which alternates with this one. */
    against: { type: 'string' },
    /** Runs the relay without the compilers and inline caches of V8, so that it is slower than generator, engine and nodes together. */
    slow: { type: 'boolean', default: false },
    /** Leaves it to the system on which core a process runs. */
    unpinned: { type: 'boolean', default: false },
  },
});

// Stopped from outside, too, it ends what it has started.
process.once('SIGTERM', () => process.exit(143));

const seconds = Number(values.seconds);
const spec = { events: Number(values.events), intervalMs: Number(values['interval-ms']), padBytes: 20 };
const lateMs = Number(values['late-ms']);
const pinned = !values.unpinned && Number(values.busy) === 0 && reserveRelayCore();

interface Run extends Tally {
  readonly name: string;
  readonly rate: number;
  readonly relayCores: number;
}

/** @param rate streams per second; each run has a relay of its own */
async function run(target: Target, rate: number, engineUrl: string, directory: string): Promise<Run> {
  const running = await target.start(engineUrl, directory);
  const busy = Array.from({ length: Number(values.busy) }, () => start(process.execPath, ['-e', 'for(;;);']));
  try {
    if (pinned) moveToRelayCore(running.relayPids);
    const load = new OpenLoop(running, spec, lateMs);
    // The first requests compile the relay's code.
    await load.run(20, 2);
    await load.connect(Math.min(2_000, rate * 4));
    const cpuBefore = usageOf(running.relayPids).cpuSeconds;
    const beganMs = performance.now();
    const tally = await load.run(rate, seconds);
    const relayCores = ((usageOf(running.relayPids).cpuSeconds - cpuBefore) * 1_000) / (performance.now() - beganMs);
    load.close();
    return { ...tally, name: target.name, rate, relayCores };
  } finally {
    await Promise.all(busy.map((program) => stop(program, 'SIGKILL')));
    await running.stop();
  }
}

const directory = mkdtempSync(path.join(tmpdir(), 'ferry-overload-'));
const engine = startProgram('engine/mock-engine.program.ts');
const [{ port }] = (await once(engine, 'message')) as [{ readonly port: number }];
const fleet = {
  database: 'embedded',
  relayFlags: values.slow ? ['--no-opt', '--no-sparkplug', '--no-use-ic'] : [],
} as const;
const targets = [
  ...(values.against === undefined ? [] : [ferryWith('before', fleet, path.resolve(values.against))]),
  ferryWith('now', fleet),
];
process.stdout.write(
  [
    `${seconds} s of arrivals, ${spec.events} events each, one per ${spec.intervalMs} ms, ${values.busy} busy programs`,
    '',
    '| relay | begun/s | in time/s | refused | late | failed | first event p50 / p99 ms | relay, cores |',
    '| --- | --: | --: | --: | --: | --: | --: | --: |',
    '',
  ].join('\n'),
);
try {
  for (const rate of values.rates.split(',').map(Number)) {
    for (const target of targets) {
      const { name, inTime, refused, late, failed, firstEvent, relayCores, firstFailure } = await run(
        target,
        rate,
        `http://127.0.0.1:${port}/v1`,
        directory,
      );
      process.stdout.write(
        `| ${name} | ${rate} | ${(inTime / seconds).toFixed(0)} | ${refused} | ${late} | ${failed}${firstFailure === null ? '' : ` (${firstFailure})`} | ${firstEvent.p50.toFixed(0)} / ${firstEvent.p99.toFixed(0)} | ${relayCores.toFixed(2)} |\n`,
      );
      await delay(500);
    }
  }
} finally {
  engine.kill();
  rmSync(directory, { recursive: true, force: true });
}
process.exit();
