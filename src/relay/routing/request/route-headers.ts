import type { Placement } from '../../inventory/model-entry.js';
import type { Failover } from './failover.js';
import type { RequestTimeline } from './request-timeline.js';

/** For a request by a display name that several models have: the one that answers it. */
export const modelHeader = ({ report }: Placement): Readonly<Record<string, string>> => ({
  'x-ferry-model': report.selector,
});

interface Routed {
  readonly failover: Pick<Failover, 'last' | 'attempts'>;
  readonly timeline: Pick<RequestTimeline, 'queuedMs'>;
}

/** For relays that say so: who answered, how long the request waited, and how many nodes were asked, refusals included. */
export const routeHeaders = ({ failover, timeline }: Routed): Readonly<Record<string, string>> => ({
  'x-ferry-node': failover.last?.node.nodeId ?? '-',
  'x-ferry-queue-ms': String(Math.round(timeline.queuedMs)),
  'x-ferry-attempts': String(failover.attempts),
});
