import { byLabel, single, type Label, type Metric } from '../../kernel/metrics/metric.js';
import type { BusCounters, MessageBus } from '../replicas/bus/message-bus.js';

const busEvent: Label<keyof BusCounters> = {
  name: 'event',
  values: ['published', 'refused', 'received', 'invalid', 'dropped', 'failed'],
};

/** The bus between the relays. */
export const busMetrics = (bus: Pick<MessageBus, 'counters' | 'status'>): readonly Metric[] => [
  byLabel('counter', 'ferry_bus_messages_total', 'Messages between the relays.', busEvent, () => bus.counters),
  single('gauge', 'ferry_bus_connected', 'Whether the bus is connected. A relay without NATS always is.', () => {
    return bus.status === 'connected' ? 1 : 0;
  }),
];
