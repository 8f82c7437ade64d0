import { expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ReplicaApplication } from '../../../../test/support/replicas/replica-application.js';
import { ChangeNotices } from '../../platform/changes/change-notices.js';
import { MessageBus } from '../bus/message-bus.js';
import { PresenceService } from './presence.service.js';

it('sends nothing in a relay without NATS', async () => {
  Logger.overrideLogger(false);
  const replica = await ReplicaApplication.start({});
  const bus = replica.application.get(MessageBus);
  replica.nodes.connect(3);
  expect(replica.nodes.changes$.observed).toBe(false);
  expect([...replica.application.get(PresenceService).table.replicas()]).toEqual([]);
  // A notice reaches nobody, and is no error.
  replica.application.get(ChangeNotices).send('audit');
  expect(bus.status).toBe('connected');
  expect(bus.counters).toMatchObject({ published: 0, received: 0 });
  await replica.stop();
  expect(bus.status).toBe('disconnected');
});
