import type { Figures } from './figures.js';
import { opponents, type PolicyName } from './policy.js';

export interface WorkloadResult {
  readonly workload: string;
  readonly title: string;
  readonly policies: Readonly<
    Record<string, { readonly overSeeds: Figures; readonly bySeed: Readonly<Record<string, Figures>> }>
  >;
}

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1);
const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(0)} %`);

const HEAD = [
  '| workload | policy | requests | p50 s | p95 s | p99 s | unanswered | warm prefix | least share of a key | to a wedged node |',
  '| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |',
];

/** Medians over all seeds; the last two columns are the worst of all seeds. */
export function markdownTable(results: readonly WorkloadResult[]): string {
  const rows = results.flatMap(({ workload, policies }) => {
    return Object.entries(policies).map(([policy, { overSeeds: figures }]) => {
      const cells = [
        workload,
        policy,
        figures.requests.toFixed(0),
        seconds(figures.p50),
        seconds(figures.p95),
        seconds(figures.p99),
        percent(figures.unanswered),
        percent(figures.warmHits),
        figures.leastShare.toFixed(2),
        figures.requestsToWedged === null ? '–' : String(figures.requestsToWedged),
      ];
      return `| ${cells.join(' | ')} |`;
    });
  });
  return [...HEAD, ...rows].join('\n');
}

const RELAY: PolicyName = 'predicted and warm';
const signed = (change: number): string => `${change > 0 ? '+' : '−'}${Math.abs(change * 100).toFixed(0)} %`;

const COMPARED_HEAD = [
  '| workload | best other | its p95 s | relay p95 s | difference | seeds better / worse / equal | by seed |',
  '| --- | --- | --: | --: | --: | --: | --: |',
];

/** What the relay runs beside the other policy with the lowest p95 of that workload: the median, then seed by seed. */
export function comparisonTable(results: readonly WorkloadResult[]): string {
  const rows = results.flatMap(({ workload, policies }) => {
    const others = opponents.flatMap((name) => {
      const policy = policies[name];
      return policy === undefined ? [] : [{ name, ...policy }];
    });
    const [best] = others.sort((a, b) => a.overSeeds.p95 - b.overSeeds.p95);
    const relay = policies[RELAY];
    if (best === undefined || relay === undefined) return [];
    const changes = Object.entries(relay.bySeed).map(([seed, { p95 }]) => p95 / (best.bySeed[seed]?.p95 ?? p95) - 1);
    const count = (which: (change: number) => boolean): number => changes.filter(which).length;
    const cells = [
      workload,
      best.name,
      seconds(best.overSeeds.p95),
      seconds(relay.overSeeds.p95),
      signed(relay.overSeeds.p95 / best.overSeeds.p95 - 1),
      `${count((change) => change < 0)} / ${count((change) => change > 0)} / ${count((change) => change === 0)}`,
      `${signed(Math.min(...changes))} to ${signed(Math.max(...changes))}`,
    ];
    return [`| ${cells.join(' | ')} |`];
  });
  return [...COMPARED_HEAD, ...rows].join('\n');
}
