import { byLabel, single, type Label, type Metric } from '../../../kernel/metrics/metric.js';
import { rejectionReasons, type BusRejections, type RejectionReason } from '../../replicas/bus/bus-rejections.js';
import type { BusCounters, MessageBus } from '../../replicas/bus/message-bus.js';

const busEvent: Label<keyof BusCounters> = {
  name: 'event',
  values: ['published', 'refused', 'received', 'invalid', 'dropped', 'failed'],
};

const reason: Label<RejectionReason> = { name: 'reason', values: rejectionReasons };

/** The bus between the relays. */
export const busMetrics = (
  bus: Pick<MessageBus, 'counters' | 'status'>,
  rejections: Pick<BusRejections, 'counts'>,
): readonly Metric[] => [
  byLabel('counter', 'ferry_bus_messages_total', 'Messages between the relays.', busEvent, () => bus.counters),
  byLabel(
    'counter',
    'ferry_bus_rejected_total',
    'Messages between the relays, requests included, that are not from a relay with the same secret, or not for the first time.',
    reason,
    () => rejections.counts,
  ),
  single('gauge', 'ferry_bus_connected', 'Whether the bus is connected. A relay without NATS always is.', () => {
    return bus.status === 'connected' ? 1 : 0;
  }),
];
