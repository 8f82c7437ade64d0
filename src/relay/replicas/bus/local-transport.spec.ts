import { beforeEach, describe } from '@jest/globals';
import { describeMessageBus } from '../../../../test/support/replicas/message-bus.contract.js';
import { LocalNetwork, LocalTransport } from './local-transport.js';

describe('the bus within one process', () => {
  let network: LocalNetwork;
  beforeEach(() => {
    network = new LocalNetwork();
  });
  describeMessageBus((id) => new LocalTransport(id, network));
});
