/** The dashboard and the alert rules against the metrics that relays and nodes have. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Metric } from '../../src/kernel/metrics/metric.js';
import { documentedMetrics, documentedNodeMetrics } from '../../scripts/metrics-table.js';

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}
interface RuleTests {
  readonly tests: readonly {
    readonly promql_expr_test: readonly { readonly expr: string; readonly exp_samples: readonly unknown[] }[];
  }[];
}

const read = (file: string): string => readFileSync(path.resolve(import.meta.dirname, '../../deploy', file), 'utf8');
const dashboard = JSON.parse(read('grafana/ferry-dashboard.json')) as Dashboard;
const rules = (parse(read('prometheus/ferry-alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
const ruleTests = (parse(read('prometheus/ferry-alerts.test.yml')) as RuleTests).tests;

const metrics = new Map([...documentedNodeMetrics(), ...documentedMetrics()].map((metric) => [metric.name, metric]));
/** Of the scrape, and of Prometheus itself. */
const FOREIGN_LABELS = ['job', 'instance', 'le'];
const SERIES = /\b((?:ferry|nodejs|process)_[a-z_]+)(?:\{([^}]*)\})?/g;
const MATCHER = /([a-z_]+)(=~|!=|=)"([^"]*)"/g;

/** @returns what an expression says that neither relay nor node exports */
function unknownParts(expr: string): string[] {
  return [...expr.matchAll(SERIES)].flatMap(([, series = '', matchers = '']) => {
    const metric = metrics.get(series) ?? metrics.get(series.replace(/_(bucket|sum|count)$/, ''));
    if (metric === undefined || (metrics.has(series) && metric.type === 'histogram')) return [series];
    return [...matchers.matchAll(MATCHER)].flatMap(([, name = '', operator, value = '']) => {
      if (FOREIGN_LABELS.includes(name) || (metric.type === 'gauge' && name === 'quantile')) return [];
      const label = metric.labels.find((candidate) => candidate.name === name);
      const values = operator === '=~' ? value.split('|') : [value];
      return values.filter((one) => !mayBe(label, one)).map((one) => `${series}{${name}="${one}"}`);
    });
  });
}

/** A name may be any. */
const mayBe = (label: Metric['labels'][number] | undefined, value: string): boolean =>
  label !== undefined && ('values' in label ? label.values.includes(value) : true);

const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

test('the dashboard and the rules use only metrics and label values that exist', () => {
  expect(expressions.length).toBeGreaterThan(20);
  expect([...expressions, ...rules.map(({ expr }) => expr)].flatMap(unknownParts)).toEqual([]);
});

test('a metric or a label value that does not exist is found', () => {
  expect(unknownParts('rate(ferry_requests_totals[5m])')).toEqual(['ferry_requests_totals']);
  expect(unknownParts('ferry_nodes{state="away"}')).toEqual(['ferry_nodes{state="away"}']);
  expect(unknownParts('rate(ferry_request_seconds[5m])')).toEqual(['ferry_request_seconds']);
});

test('every metric of a relay or a node is on the dashboard, except those that say the same', () => {
  const shown = new Set(
    expressions.flatMap((expr) =>
      [...expr.matchAll(SERIES)].map(([, name = '']) => name.replace(/_(bucket|sum)$/, '')),
    ),
  );
  expect([...metrics.keys()].filter((name) => !shown.has(name))).toEqual([
    'nodejs_heap_size_limit_bytes',
    'ferry_attempts_total',
    'ferry_links',
  ]);
});

test('a panel of node processes shows those of nodes only, and every other panel those of relays', () => {
  const row = dashboard.panels.findIndex(({ title }) => title === 'Node processes');
  expect(row).toBeGreaterThan(0);
  const selectors = dashboard.panels.flatMap(({ targets = [] }, at) =>
    targets.flatMap(({ expr }) =>
      [...expr.matchAll(SERIES)].map(([series, name = '']) => ({ series, name, ofNodes: at > row })),
    ),
  );
  const wrong = selectors.filter(
    ({ series, name, ofNodes }) =>
      series.includes('job=~"$node_job",instance=~"$node"') !== ofNodes ||
      (name.startsWith('ferry_') && name.startsWith('ferry_node_') !== ofNodes),
  );
  expect(wrong).toEqual([]);
});

test('a rule on a metric that relays and nodes have says of which job', () => {
  const shared = /^(nodejs|process)_/;
  const loose = rules.filter(({ expr }) =>
    [...expr.matchAll(SERIES)].some(([series, name = '']) => shared.test(name) && !/job="ferry(-node)?"/.test(series)),
  );
  expect(loose).toEqual([]);
});

test('every rule is provoked by a test, and stays silent in one', () => {
  for (const { alert } of rules) {
    const cases = ruleTests.flatMap((one) => one.promql_expr_test).filter(({ expr }) => expr.includes(`"${alert}"`));
    const fires = cases.map(({ exp_samples: samples }) => samples.length > 0);
    expect({ alert, fires: new Set(fires) }).toEqual({ alert, fires: new Set([true, false]) });
  }
});

test('panels have ids of their own', () => {
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
