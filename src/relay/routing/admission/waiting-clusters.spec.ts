import { expect, test } from '@jest/globals';
import { clusterA, clusterB } from '../../../../test/support/relay/routing-fleet.js';
import { WaitingClusters } from './waiting-clusters.js';

test('a request without a scope waits in every cluster, one with a scope in its clusters', () => {
  const clusters = new WaitingClusters();
  expect(clusters.has(clusterA)).toBe(false);
  clusters.add(new Set([clusterA]));
  expect([clusters.has(clusterA), clusters.has(clusterB)]).toEqual([true, false]);
  clusters.add(null);
  expect(clusters.has(clusterB)).toBe(true);
});

test('a cluster is awaited until its last request has left', () => {
  const clusters = new WaitingClusters();
  const scope = new Set([clusterA, clusterB]);
  clusters.add(scope);
  clusters.add(new Set([clusterA]));
  clusters.add(null);
  clusters.remove(null);
  clusters.remove(scope);
  expect([clusters.has(clusterA), clusters.has(clusterB)]).toEqual([true, false]);
  clusters.remove(new Set([clusterA]));
  expect(clusters.has(clusterA)).toBe(false);
});
