import { expect, test } from '@jest/globals';
import { modelReport } from '../../../../test/support/link/model-report.js';
import { NodeInventory } from './node-inventory.js';

const inventoryOf = (...reports: Parameters<typeof modelReport>[]): NodeInventory => {
  const inventory = new NodeInventory(10);
  const models = reports.map((report) => modelReport(...report));
  inventory.apply({ version: 1, full: true, more: false, models, removed: [] });
  return inventory;
};

test('equal reports of two nodes are one object, and different ones are not', () => {
  const [one, other] = [inventoryOf(['a'], ['b']), inventoryOf(['a'], ['b', { context_length: 77 }])];
  const reportsOf = ({ models }: NodeInventory): unknown[] => [...models.values()];
  const [a, b] = reportsOf(one);
  expect(reportsOf(other)[0]).toBe(a);
  expect(reportsOf(other)[1]).not.toBe(b);
  expect(reportsOf(other)[1]).toMatchObject({ context_length: 77 });
});
