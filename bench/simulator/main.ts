/** `npm run bench:simulate`: every committed workload with every committed seed under every policy. `--recording` replays a file instead. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { figuresOf, overSeeds } from './figures.js';
import { generate } from './generate.js';
import { policies, type PolicyName } from './policy.js';
import { simulate } from './simulation.js';
import { comparisonTable, markdownTable, type WorkloadResult } from './table.js';
import { committedSeeds, committedWorkloads, parseRecording, type Conversation, type Workload } from './workload.js';

const { values } = parseArgs({
  options: {
    /** Comma-separated names of workloads. */
    only: { type: 'string' },
    /** File with one conversation per line, run with the fleet of the one workload that `--only` names. */
    recording: { type: 'string' },
    /** Path of the results, without extension. */
    out: { type: 'string', default: 'bench/results/simulator' },
  },
});

const wanted = values.only?.split(',');
const workloads = committedWorkloads().filter(({ name }) => wanted?.includes(name) ?? true);
const seeds = committedSeeds();
const recording = values.recording === undefined ? null : parseRecording(readFileSync(values.recording, 'utf8'));
if (recording !== null && workloads.length !== 1)
  throw new Error('a recording needs the fleet of one workload: --only NAME');

const conversationsOf = (workload: Workload, seed: number): Conversation[] => recording ?? generate(workload, seed);

const results: WorkloadResult[] = workloads.map((workload) => {
  const names = Object.keys(policies) as PolicyName[];
  return {
    workload: workload.name,
    title: workload.title,
    policies: Object.fromEntries(
      names.map((name) => {
        const bySeed = seeds.slice(0, workload.seeds).map((seed) => {
          const courses = simulate(workload, conversationsOf(workload, seed), policies[name], seed);
          return [String(seed), figuresOf(courses, workload)] as const;
        });
        return [
          name,
          { overSeeds: overSeeds(bySeed.map(([, figures]) => figures)), bySeed: Object.fromEntries(bySeed) },
        ];
      }),
    ),
  };
});

const table = `${comparisonTable(results)}\n\n${markdownTable(results)}`;
process.stdout.write(`${table}\n`);
mkdirSync(path.dirname(values.out), { recursive: true });
writeFileSync(`${values.out}.json`, `${JSON.stringify({ seeds, results }, null, 1)}\n`);
writeFileSync(`${values.out}.md`, `${table}\n`);
