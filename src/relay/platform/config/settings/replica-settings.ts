/** Several relays on one database: the message bus between them, and the presence of each other's nodes. */
import type { Setting } from '../../../../kernel/settings.js';
import { integer, MEBIBYTE, optionalText, setting } from './setting.js';
import { z } from 'zod';

export const replicaSettings = {
  natsUrl: setting(
    'NATS_URL',
    optionalText,
    undefined,
    'Reserved for several relays on one database, which is not implemented. A relay with this set refuses to start, and the other settings of this section have no effect.',
    { secret: true },
  ),
  natsSubjectPrefix: setting(
    'FERRY_NATS_SUBJECT_PREFIX',
    z.string().regex(/^[0-9A-Za-z_-]{1,32}$/, 'needs 1 to 32 letters, digits, `_` and `-`'),
    'ferry',
    'First part of all subjects. Installations that share a NATS server need different ones.',
  ),
  natsPingIntervalMs: setting(
    'FERRY_NATS_PING_INTERVAL_MS',
    integer(100, 60_000),
    '3000',
    'Interval of pings to the NATS server. A server that stops answering counts as lost after two to three of them.',
  ),
  natsConnectTimeoutMs: setting(
    'FERRY_NATS_CONNECT_TIMEOUT_MS',
    integer(100, 60_000),
    '5000',
    'Longest wait for a connection to the NATS server, per attempt.',
  ),
  natsPendingLimitBytes: setting(
    'FERRY_NATS_PENDING_LIMIT_BYTES',
    integer(MEBIBYTE, 256 * MEBIBYTE),
    '8388608',
    'Bytes that the NATS server has not confirmed yet, per connection. More are not sent.',
  ),
  busQueueMessages: setting(
    'FERRY_BUS_QUEUE_MESSAGES',
    integer(1, 100_000),
    '1000',
    'Messages from other replicas that wait for one handler. More are dropped.',
  ),
  busConcurrentReplies: setting(
    'FERRY_BUS_CONCURRENT_REPLIES',
    integer(1, 10_000),
    '64',
    'Requests of other replicas that are answered at once.',
  ),
  busOutstandingRequests: setting(
    'FERRY_BUS_OUTSTANDING_REQUESTS',
    integer(1, 100_000),
    '256',
    'Requests to other replicas that wait for an answer.',
  ),
  presenceHeartbeatIntervalMs: setting(
    'FERRY_PRESENCE_HEARTBEAT_INTERVAL_MS',
    integer(50, 60_000),
    '5000',
    'Mean interval of the heartbeats of a replica, ±20 %.',
  ),
  presenceBatchIntervalMs: setting(
    'FERRY_PRESENCE_BATCH_INTERVAL_MS',
    integer(10, 60_000),
    '200',
    'Time for which changes of nodes are batched before they are sent to other replicas.',
  ),
  presenceSilentAfterMs: setting(
    'FERRY_PRESENCE_SILENT_AFTER_MS',
    integer(100, 600_000),
    '15000',
    'Silence of a replica after which its nodes get no requests from other replicas.',
  ),
  presenceForgetAfterMs: setting(
    'FERRY_PRESENCE_FORGET_AFTER_MS',
    integer(200, 3_600_000),
    '60000',
    'Silence of a replica after which its nodes are forgotten.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
