import type { Figures } from './figures.js';

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
  '| workload | policy | requests | p50 s | p95 s | p99 s | p95 to least-busy | unanswered | warm prefix | least share of a key | to a wedged node |',
  '| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |',
];

/** Medians over all seeds; the last two columns are the worst of all seeds. */
export function markdownTable(results: readonly WorkloadResult[]): string {
  const rows = results.flatMap(({ workload, policies }) => {
    const baseline = policies['least-busy']?.overSeeds.p95;
    return Object.entries(policies).map(([policy, { overSeeds: figures }]) => {
      const change = baseline === undefined ? 0 : figures.p95 / baseline - 1;
      const compared = policy === 'least-busy' ? '' : `${change > 0 ? '+' : '−'}${Math.abs(change * 100).toFixed(0)} %`;
      const cells = [
        workload,
        policy,
        figures.requests.toFixed(0),
        seconds(figures.p50),
        seconds(figures.p95),
        seconds(figures.p99),
        compared,
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
