/** Runs all targets of a scenario in turn, round after round, so that ratios hold on a noisy machine. */
import { readFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pidOf, startProgram, stop } from './child.js';
import { moveToRelayCore } from './measure/cores.js';
import { measure, type Measurement } from './measure/measure.js';
import type { Results } from './report/results.js';
import type { LoadScenario, ProgramScenario, Scenario } from './scenarios/scenario.js';
import type { Target } from './targets/target.js';

export interface RunOptions {
  readonly results: Results;
  readonly peers: readonly Target[];
  /** No targets were selected, so that scenarios add theirs. */
  readonly all: boolean;
  /** The public side has a core of its own. */
  readonly pinned: boolean;
  readonly engine: { readonly url: string; readonly process: ChildProcess };
  readonly workDirectory: string;
  readonly say: (text: string) => void;
}

/** A round during which other programs took more of the machine is measured again, at most so often. */
const FOREIGN_SHARE = 0.15;
const TRIES = 3;
/** Share of the events due in the window that must arrive. */
const LEAST_PACE = 0.9;
/** File descriptors besides sockets: libraries, logs, the database. */
const OTHER_DESCRIPTORS = 500;

export async function runScenario(scenario: Scenario, options: RunOptions): Promise<void> {
  if (scenario.kind === 'program') await runProgram(scenario, options);
  else await runLoad(scenario, options);
}

/** Targets take turns, and each round has new processes: what an earlier one left in memory or compiled does not count. */
async function runLoad(scenario: LoadScenario, options: RunOptions): Promise<void> {
  const { results, peers, say } = options;
  const byTarget: Record<string, Measurement[]> = {};
  results.measurements[scenario.name] = byTarget;
  const targets = scenario.targets ?? [...peers, ...(options.all ? (scenario.furtherTargets ?? []) : [])];
  const failed = new Set<Target>();
  const rounds = results.alternations * (scenario.roundsPerAlternation ?? 1);
  for (let round = 1; round <= rounds; round += 1) {
    for (const target of targets) {
      if (failed.has(target)) continue;
      const label = `${scenario.name}, ${target.name}, round ${round}`;
      try {
        requireDescriptors(scenario);
        const measurement = await measureQuietly(scenario, target, round, options);
        (byTarget[target.name] ??= []).push(measurement);
        say(`${scenario.name} ${round}/${rounds} ${target.name}: ${summary(scenario, measurement)}`);
      } catch (error) {
        if (byTarget[target.name] === undefined) failed.add(target);
        notMeasured(options, label, error);
      }
    }
  }
}

/** @throws when the target fails, falls behind, or the machine is never quiet */
async function measureQuietly(
  scenario: LoadScenario,
  target: Target,
  round: number,
  { engine, workDirectory, pinned, say }: RunOptions,
): Promise<Measurement> {
  for (let attempt = 1; ; attempt += 1) {
    const running = await target.start(engine.url, workDirectory);
    try {
      if (pinned) moveToRelayCore(running.relayPids);
      const measurement = await measure(running, scenario, pidOf(engine.process), round);
      const { failures, requests, firstFailure } = measurement.load;
      // Figures of error responses would look excellent.
      if (failures > requests) throw new Error(`${failures} failures, ${requests} answers: ${firstFailure ?? ''}`);
      requirePace(scenario, measurement);
      if (measurement.foreignBusy <= FOREIGN_SHARE) return measurement;
      const busy = `other programs took ${(measurement.foreignBusy * 100).toFixed(0)} % of the machine`;
      if (attempt === TRIES) throw new Error(busy);
      say(`${scenario.name} ${target.name}: again, ${busy}`);
    } finally {
      await running.stop();
    }
  }
}

async function runProgram(scenario: ProgramScenario, options: RunOptions): Promise<void> {
  const { results, say } = options;
  const figures: Record<string, number[]> = {};
  results.figures[scenario.name] = figures;
  try {
    for (let round = 1; round <= results.alternations; round += 1) {
      const program = startProgram(scenario.program);
      const ended = once(program, 'exit').then(() => Promise.reject(new Error('the program ended without figures')));
      const [{ reply }] = (await Promise.race([once(program, 'message'), ended])) as [
        { reply: Readonly<Record<string, number>> },
      ];
      ended.catch(() => undefined);
      await stop(program);
      for (const [name, value] of Object.entries(reply)) (figures[name] ??= []).push(value);
      say(`${scenario.name} ${round}/${results.alternations}: ${JSON.stringify(reply)}`);
    }
  } catch (error) {
    notMeasured(options, `${scenario.name}, Ferry`, error);
  }
}

function notMeasured({ results, say }: RunOptions, what: string, error: unknown): void {
  const why = `${what}: ${error instanceof Error ? error.message : String(error)}`;
  results.notMeasured.push(why);
  say(`not measured: ${why}`);
}

/** @throws when the target fell behind: its streams start late and end before the window, and the few events left distort the cost. */
function requirePace({ spec }: LoadScenario, { perSecond }: Measurement): void {
  if (spec.kind !== 'streams') return;
  const due =
    spec.connections > 0
      ? (spec.connections * 1_000) / spec.intervalMs
      : (spec.probeEvents * 1_000) / spec.probeIntervalMs;
  if (perSecond >= due * LEAST_PACE) return;
  throw new Error(`it carries ${perSecond.toFixed(0)} of ${due.toFixed(0)} events/s`);
}

/** @throws when the busiest process could not open its sockets, which would look like a failure of the target */
function requireDescriptors({ spec }: LoadScenario): void {
  const connections = 'connections' in spec ? spec.connections : 0;
  const needed = 2 * connections + OTHER_DESCRIPTORS;
  const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity);
  if (limit < needed) {
    throw new Error(`a process may open ${limit} files here and needs ${needed}: raise it with ulimit -n ${needed}`);
  }
}

function summary({ unit }: LoadScenario, run: Measurement): string {
  const { load, relayMicros, nodeMicros, engineMicros, generatorMicros, perSecond, machineBusy } = run;
  const mebibytes = (bytes: number): string => (bytes / 1_048_576).toFixed(0);
  return [
    `${relayMicros.toFixed(1)} µs per ${unit} (node ${nodeMicros.toFixed(1)}, engine ${engineMicros.toFixed(1)}, generator ${generatorMicros.toFixed(1)})`,
    `${perSecond.toFixed(0)}/s`,
    `transit ${load.transit.p50.toFixed(2)} / ${load.transit.p99.toFixed(1)} / ${load.transit.max.toFixed(0)} ms`,
    `beside ${load.transitBeside.p99.toFixed(1)} ms`,
    `first byte ${load.firstByte.p50.toFixed(2)} / ${load.firstByte.p99.toFixed(1)} ms`,
    `database ${run.databaseMicros.toFixed(1)} µs`,
    `relay ${mebibytes(run.relayIdleBytes)} → ${mebibytes(run.relayBusyBytes)} MiB`,
    `busy ${(machineBusy * 100).toFixed(0)} %, others ${(run.foreignBusy * 100).toFixed(0)} %`,
    `${load.failures} failures${load.firstFailure === null ? '' : ` (${load.firstFailure})`}`,
  ].join(', ');
}
