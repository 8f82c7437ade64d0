import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { documentedMetrics, monitoringPagePath, renderMonitoringPage } from '../../scripts/metrics-table.js';

test('the monitoring page lists every metric of the relay; update it with `npm run docs:metrics`', async () => {
  const page = await readFile(monitoringPagePath, 'utf8');
  expect(await renderMonitoringPage(page)).toBe(page);
});

test('names of metrics are unique and end as Prometheus expects', () => {
  const names = documentedMetrics().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, type } of documentedMetrics()) {
    if (type === 'counter') expect(name).toMatch(/_total$/);
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
  }
});
