/** Deadlines of a request, and how its response is sent (docs/reference/request-lifecycle.md#phases). */
import type { Setting } from '../../../../kernel/settings/setting.js';
import { integer, reloadable, setting } from './setting.js';

export const responseSettings = {
  streamCommitMs: setting(
    'FERRY_STREAM_COMMIT_MS',
    integer(10, 600_000),
    '10000',
    'Delay after which a stream without an event gets its 200 and headers. Later failures are errors inside the stream.',
  ),
  streamHeartbeatMs: setting(
    'FERRY_STREAM_HEARTBEAT_MS',
    integer(10, 600_000),
    '15000',
    'Silence after which a keep-alive is written to a stream.',
  ),
  slowClientTimeoutMs: setting(
    'FERRY_SLOW_CLIENT_TIMEOUT_MS',
    integer(100, 3_600_000),
    '60000',
    'A client that reads nothing for this long is disconnected.',
  ),
  streamMaxAgeMs: setting(
    'FERRY_STREAM_MAX_AGE_MS',
    integer(1_000, 86_400_000),
    '3600000',
    'Absolute lifetime of a stream.',
    reloadable,
  ),
  acceptTimeoutMs: setting(
    'FERRY_ACCEPT_TIMEOUT_MS',
    integer(100, 600_000),
    '10000',
    'Limit for a node to acknowledge a request.',
    reloadable,
  ),
  firstEventTimeoutMs: setting(
    'FERRY_FIRST_EVENT_TIMEOUT_MS',
    integer(100, 86_400_000),
    '900000',
    'Limit for the first event of a streaming request.',
    reloadable,
  ),
  wholeAnswerTimeoutMs: setting(
    'FERRY_WHOLE_ANSWER_TIMEOUT_MS',
    integer(100, 86_400_000),
    '1800000',
    'Limit for the response to a non-streaming request.',
    reloadable,
  ),
  eventIdleTimeoutMs: setting(
    'FERRY_EVENT_IDLE_TIMEOUT_MS',
    integer(100, 86_400_000),
    '120000',
    'Longest silence of a node after its first event.',
    reloadable,
  ),
  queueTimeoutMs: setting(
    'FERRY_QUEUE_TIMEOUT_MS',
    integer(0, 3_600_000),
    '30000',
    'Longest wait for a free slot.',
    reloadable,
  ),
  nodesReturnWaitMs: setting(
    'FERRY_NODES_RETURN_WAIT_MS',
    integer(0, 600_000),
    '5000',
    'For this long after the start of a relay, requests that no connected node can serve wait for nodes to reconnect.',
  ),
  queueLimit: setting('FERRY_QUEUE_LIMIT', integer(0, 100_000), '100', 'Waiting requests per account and model.'),
  maxRejectRepicks: setting(
    'FERRY_MAX_REJECT_REPICKS',
    integer(0, 20),
    '3',
    'Other nodes that are tried when a node rejects a request.',
    reloadable,
  ),
} as const satisfies Record<string, Setting<unknown>>;
