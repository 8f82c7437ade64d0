import { expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { nodeId, NodeRegistryHarness } from '../../../../test/support/relay/node-registry.harness.js';
import { createReplicaId } from '../../../kernel/ids.js';
import { LocalNetwork, LocalTransport } from '../bus/local-transport.js';
import { MessageBus } from '../bus/message-bus.js';
import { shareConflicts } from './shared-conflicts.js';

it('a node that one replica refuses, because two computers have its identity, is known as such at the others for as long', async () => {
  Logger.overrideLogger(false);
  const network = new LocalNetwork();
  const limits = { busQueueMessages: 100, busConcurrentReplies: 4, busOutstandingRequests: 50 };
  const replicas = [new NodeRegistryHarness(), new NodeRegistryHarness()] as const;
  const buses = replicas.map(() => new MessageBus(new LocalTransport(createReplicaId(), network), limits));
  const ends = replicas.map(({ registry }, index) => shareConflicts(buses[index]!, registry));
  const [one, two] = replicas;

  for (const processId of ['p', 'q', 'p', 'q', 'p']) one.connect(processId);
  expect(one.registry.isInConflict(nodeId)).toBe(true);
  await eventually('the other one knows', () => two.registry.isInConflict(nodeId));
  // It says why, and refuses nobody: it has seen no swaps.
  expect(two.registry.conflictSeconds(nodeId)).toBeUndefined();
  two.clock.advance(300_000);
  expect(two.registry.isInConflict(nodeId)).toBe(false);

  for (const end of ends) end();
  await Promise.all(buses.map((bus) => bus.close()));
});
