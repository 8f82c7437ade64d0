import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import {
  documentedMetrics,
  documentedNodeMetrics,
  monitoringPagePath,
  renderMonitoringPage,
} from '../../scripts/metrics-table.js';

test('the monitoring page lists every metric of relay and node; update it with `npm run docs:metrics`', async () => {
  const page = await readFile(monitoringPagePath, 'utf8');
  expect(await renderMonitoringPage(page)).toBe(page);
});

test.each([
  ['the relay', documentedMetrics],
  ['the node', documentedNodeMetrics],
])('names of metrics of %s are unique and end as Prometheus expects', (_, documented) => {
  const names = documented().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, type } of documented()) {
    if (type === 'counter') expect(name).toMatch(/_total$/);
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
  }
});
