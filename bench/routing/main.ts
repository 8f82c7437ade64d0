/** `npm run bench:routing`: what a large fleet costs the relay: a STATUS, a choice, and the longest time without a turn for others. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { distribution, type Distribution } from '../statistics.js';
import { account, clusterOf } from './large-fleet.js';
import { RoutingAtScale } from './routing-at-scale.js';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000' },
    models: { type: 'string', default: '100' },
    waiting: { type: 'string', default: '100' },
    slots: { type: 'string', default: '4' },
    samples: { type: 'string', default: '1000' },
  },
});
const nodes = Number(values.nodes);
const waiting = Number(values.waiting);
const slots = Number(values.slots);
const samples = Number(values.samples);
const WARM_UP = 200;
/** A choice is short: with fewer, the compiler's threads are most of its CPU time at p99. */
const CHOICES_WARM_UP = 2_000;
/** Fewer than the relay remembers per node. */
const LEARNED_MODELS = 50;
/** Rounds of a wake of all that wait. */
const ROUNDS = 20;
/** Turns without work after which the queue has tried all. */
const QUIET_TURNS = 5;
const QUIET_MS = 0.2;
/** 256 MiB. */
const CONTROL_NUMBERS = 2 ** 25;
const CONTROL_READS = 200;
const CALIBRATIONS = 4;
/** Since Node 23.9. */
const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };

const scene = new RoutingAtScale({ nodes, models: Number(values.models), waiting, slots });
const { routing, fleet } = scene;
const none = new Set<never>();

/**
 * CPU time of the main thread, so that what other programs take does not count: for so long the relay's streams wait, pauses of the collector
 * included. The threads of compiler and collector run beside it. Older versions of Node know only the time of the whole process.
 */
function cpuMicros(): number {
  // Linux brings the time of the thread up to date when that of the process is read, and otherwise only with its next tick.
  const ofProcess = process.cpuUsage();
  const { user, system } = threadCpuUsage?.() ?? ofProcess;
  return user + system;
}

/** Microseconds of CPU time of each sample. @param reset what is not measured, after each */
async function measure(
  once: (sample: number) => void,
  reset: (sample: number) => void = () => undefined,
  warmUp = WARM_UP,
): Promise<Distribution> {
  const micros: number[] = [];
  for (let sample = 0; sample < warmUp + samples; sample += 1) {
    await untilQuiet();
    const began = cpuMicros();
    once(sample);
    if (sample >= warmUp) micros.push(cpuMicros() - began);
    reset(sample);
  }
  return distribution(micros);
}

/** Microseconds without a turn for anything else, the longest of each round, while all that wait are tried. */
async function longestTurns(wake: () => void): Promise<Distribution> {
  const micros: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await untilQuiet();
    const beganMs = performance.now();
    wake();
    const wakeMs = performance.now() - beganMs;
    micros.push(Math.max(wakeMs, await untilQuiet()) * 1_000);
  }
  return distribution(micros);
}

/** Until a wake that was interrupted has tried all. @returns the longest turn of the event loop meanwhile, in milliseconds */
async function untilQuiet(): Promise<number> {
  let longestMs = 0;
  for (let quiet = 0; quiet < QUIET_TURNS;) {
    const beganMs = performance.now();
    await nextTurn();
    const turnMs = performance.now() - beganMs;
    longestMs = Math.max(longestMs, turnMs);
    quiet = turnMs < QUIET_MS ? quiet + 1 : 0;
  }
  return longestMs;
}

const nodeOf = (sample: number): number => (sample * 7) % nodes;
const status = (sample: number): void => {
  const node = fleet.nodes[nodeOf(sample)];
  if (node !== undefined) routing.waker.reported(node);
};
const questions = Array.from({ length: 1_000 }, (_, index) => scene.question(index));
const choose = (sample: number): void => {
  const question = questions[sample % questions.length];
  if (question !== undefined) routing.context.finder.find(account, question.query, none, question.profile);
};
const measureChoice = (): Promise<Distribution> => measure(choose, undefined, CHOICES_WARM_UP);

const rows: [what: string, figures: Distribution, bar?: string][] = [];

/**
 * Reads of memory that no cache holds, as long as that row at p50, measured in the same way. What is above it at p99 is the machine: on a virtual
 * computer one read in some thousands takes 100 µs and more, and an interrupt as long.
 */
async function measureControl(of: Distribution): Promise<void> {
  const memory = new Float64Array(CONTROL_NUMBERS).fill(1);
  let at = 1;
  let sum = 0;
  const read = (count: number): void => {
    for (let done = 0; done < count; done += 1) {
      at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
      sum += memory[at % CONTROL_NUMBERS] ?? 0;
    }
  };
  let count = CONTROL_READS;
  const measureReads = (): Promise<Distribution> =>
    measure(() => {
      read(count);
    });
  // More than once: the first rounds are those of code that is compiled meanwhile.
  for (let round = 0; round < CALIBRATIONS; round += 1)
    count = Math.max(1, Math.round((count * of.p50) / (await measureReads()).p50));
  const figures = await measureReads();
  if (sum === 0) throw new Error('nothing was read');
  rows.push([`… control: ${count} reads of cold memory`, figures]);
}

scene.occupyAll((index) => index % (slots + 1));
const roomy = await measureChoice();
rows.push(['choice, a fifth of the nodes full', roomy, 'p99 ≤ 60']);
await measureControl(roomy);
scene.occupyAll((index) => (index === nodes / 2 ? slots - 1 : slots));
rows.push(['choice, one node has a free place', await measureChoice(), 'p99 ≤ 60']);
scene.occupyAll(() => slots);
rows.push(['choice, all nodes full', await measureChoice(), 'p99 ≤ 60']);
scene.learnSpeeds(LEARNED_MODELS);
scene.occupyAll((index) => index % (slots + 1));
rows.push(['choice, a fifth of the nodes full, and all speeds learned', await measureChoice(), 'p99 ≤ 60']);
scene.occupyAll(() => slots);

scene.enqueue();
rows.push(['STATUS of a full node', await measure(status), 'p50 ≤ 50']);
rows.push([
  'STATUS that starts a waiting request',
  await measure(
    (sample) => {
      scene.occupy(nodeOf(sample), slots - 1);
      status(sample);
    },
    (sample) => {
      scene.occupy(nodeOf(sample), slots);
      scene.stopRunning();
      scene.ask(sample);
    },
  ),
]);
scene.occupy(0, slots - 1);
status(0);
rows.push([
  'end of an answer that starts a waiting request',
  await measure(
    () => {
      scene.stopRunning();
    },
    (sample) => {
      scene.ask(sample);
    },
  ),
]);
scene.occupyAll(() => slots);
rows.push([
  'longest turn: all that wait are tried, all nodes full',
  await longestTurns(() => {
    routing.wakes.fleetChanged(account);
  }),
  'max ≤ 20,000',
]);
scene.clear();

scene.enqueue(clusterOf(1));
scene.occupy(0, 0);
rows.push([
  'STATUS of an idle node that none of those may use that wait',
  await measure(() => {
    status(0);
  }),
  'p50 ≤ 50',
]);
rows.push([
  '… longest turn',
  await longestTurns(() => {
    status(0);
  }),
  'max ≤ 20,000',
]);
scene.clear();

process.stdout.write(
  [
    `${nodes} nodes of ${slots} slots, ${values.models} models on each, ${waiting} waiting requests; microseconds of CPU time of ${threadCpuUsage !== undefined ? 'the main thread' : 'the process'}, turns of the clock`,
    '',
    '| | p50 | p99 | max | bar |',
    '| --- | --: | --: | --: | --- |',
    ...rows.map(
      ([what, { p50, p99, max }, bar = '']) =>
        `| ${what} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${max.toFixed(1)} | ${bar} |`,
    ),
    '',
  ].join('\n'),
);
process.exit();
