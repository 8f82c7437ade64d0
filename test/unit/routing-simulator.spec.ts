import { describe, expect, test } from '@jest/globals';
import { figuresOf, overSeeds, type Figures } from '../../bench/simulator/figures.js';
import { generate } from '../../bench/simulator/generate.js';
import { opponents, policies, type PolicyName } from '../../bench/simulator/policy.js';
import { simulate } from '../../bench/simulator/simulation.js';
import { committedSeeds, committedWorkloads, parseRecording, type Workload } from '../../bench/simulator/workload.js';

/** `npm run bench:simulate` runs all of them. */
const SEEDS = 5;

const workloadOf = (name: string): Workload => {
  const workload = committedWorkloads().find((one) => one.name === name);
  if (workload === undefined) throw new Error(`no workload ${name}`);
  return workload;
};

/** Several tests compare with the same simulation, which is the same for the same seeds. */
const simulated = new Map<string, Figures>();

function run(name: string, policy: PolicyName): Figures {
  const known = simulated.get(`${name} ${policy}`);
  if (known !== undefined) return known;
  const workload = workloadOf(name);
  const figures = overSeeds(
    committedSeeds()
      .slice(0, SEEDS)
      .map((seed) => figuresOf(simulate(workload, generate(workload, seed), policies[policy], seed), workload)),
  );
  simulated.set(`${name} ${policy}`, figures);
  return figures;
}

describe('routing on simulated fleets', () => {
  test('uses at least twenty seeds', () => {
    expect(new Set(committedSeeds()).size).toBeGreaterThanOrEqual(20);
  });

  test.each(['mixed-fleet', 'mixed-fleet-quiet', 'conversations'])(
    '%s has a p95 at least a fifth lower than with least-busy',
    (name) => {
      expect(run(name, 'predicted and warm').p95).toBeLessThanOrEqual(run(name, 'least-busy').p95 * 0.8);
    },
  );

  test('the p95 is still a tenth lower near full capacity', () => {
    expect(run('mixed-fleet-busy', 'predicted and warm').p95).toBeLessThanOrEqual(
      run('mixed-fleet-busy', 'least-busy').p95 * 0.9,
    );
  });

  test('equal nodes are served no worse than with least-busy', () => {
    expect(run('equal-fleet', 'predicted and warm').p95).toBeLessThanOrEqual(
      run('equal-fleet', 'least-busy').p95 * 1.1,
    );
  });

  const small = committedWorkloads().filter(({ seeds }) => seeds === undefined);
  test.each(small.map(({ name }) => name))('each key gets at least half its fair share of %s', (name) => {
    expect(run(name, 'predicted and warm').leastShare).toBeGreaterThanOrEqual(0.5);
  });

  test.each(['equal-fleet', 'batching-equal', 'batching-equal-agents'])(
    'equal nodes of %s are served at most a tenth worse than by the best other rule',
    (name) => {
      const best = Math.min(...opponents.map((opponent) => run(name, opponent).p95));
      expect(run(name, 'predicted and warm').p95).toBeLessThanOrEqual(best * 1.1);
    },
  );

  test.each(['batching-mixed', 'batching-mixed-agents'])(
    '%s is served better than by any other rule, though its engines are none that the cost model assumes',
    (name) => {
      const best = Math.min(...opponents.map((opponent) => run(name, opponent).p95));
      expect(run(name, 'predicted and warm').p95).toBeLessThanOrEqual(best * 0.85);
    },
  );

  test('the cache-aware rule finds more cached prompts than any other on equal nodes', () => {
    const warm = (name: PolicyName): number => run('batching-equal-agents', name).warmHits ?? 0;
    expect(warm('cache-aware')).toBeGreaterThan(0.95);
    for (const name of ['random of two', 'least tokens', 'peak EWMA'] as const) expect(warm(name)).toBeLessThan(0.7);
  });

  test('conversations hit a cached prompt more often than without affinity', () => {
    const warm = run('conversations', 'predicted and warm').warmHits ?? 0;
    expect(warm).toBeGreaterThan(0.8);
    expect(warm).toBeGreaterThan(run('conversations', 'predicted').warmHits ?? 1);
  });

  test('a conversation leaves an unresponsive node within three requests', () => {
    expect(run('wedged-sticky', 'predicted and warm').requestsToWedged).toBeLessThanOrEqual(3);
  });

  test('the same seed gives the same runs', () => {
    const workload = workloadOf('mixed-fleet-quiet');
    const once = (): unknown =>
      simulate(workload, generate(workload, 7), policies['predicted and warm'], 7).map(({ endedAtMs, node }) => [
        endedAtMs,
        node,
      ]);
    expect(once()).toEqual(once());
  });

  test('a recording is replayed like any other conversation', () => {
    const line = {
      atMs: 10,
      key: 'recorded',
      group: 'g',
      systemTokens: 0,
      saysSession: false,
      turns: [{ promptTokens: 100, outputTokens: 20, maxTokens: null, bodyBytes: 500, thinkMs: 0 }],
    };
    const conversations = parseRecording(`${JSON.stringify(line)}\n\n${JSON.stringify({ ...line, atMs: 20 })}\n`);
    const courses = simulate(workloadOf('equal-fleet'), conversations, policies['least-busy'], 1);
    expect(courses.map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
  });
});
