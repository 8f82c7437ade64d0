/** Several relays on one database: the message bus between them, and the presence of each other's nodes. */
import type { Setting } from '../../../../kernel/settings/setting.js';
import { integer, MEBIBYTE, optionalText, setting } from './setting.js';
import { z } from 'zod';

export const replicaSettings = {
  natsUrl: setting(
    'NATS_URL',
    optionalText,
    undefined,
    'NATS server that connects several relays on one database (docs/operate/scaling.md). Without it the settings of the bus, of presence and of requests between relays have no effect.',
    { secret: true },
  ),
  sharedDatabase: setting(
    'FERRY_ALLOW_SHARED_DATABASE',
    z.enum(['on', 'off']),
    'off',
    'Starts although another relay uses the Postgres database and `NATS_URL` is not set. Each relay then reaches only the nodes that are connected to it.',
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
  replicaAnswerTimeoutMs: setting(
    'FERRY_REPLICA_ANSWER_TIMEOUT_MS',
    integer(10, 60_000),
    '1000',
    'Longest wait for the answer of another replica, such as the explanation of a request that it has served.',
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
  presenceLoadIntervalMs: setting(
    'FERRY_PRESENCE_LOAD_INTERVAL_MS',
    integer(10, 60_000),
    '1000',
    'The same for how many requests the engines of nodes queue, and how many they have for others.',
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
  limitGossipIntervalMs: setting(
    'FERRY_LIMIT_GOSSIP_INTERVAL_MS',
    integer(100, 10_000),
    '1000',
    'Interval at which a replica tells the others what was used of the limits of keys and accounts.',
  ),
  limitGossipLeastIntervalMs: setting(
    'FERRY_LIMIT_GOSSIP_LEAST_INTERVAL_MS',
    integer(1, 10_000),
    '10',
    'The same after a use of one second of a rate, or of a running request where they are limited: not more often than this.',
  ),
  limitQuestionTimeoutMs: setting(
    'FERRY_LIMIT_QUESTION_TIMEOUT_MS',
    integer(1, 10_000),
    '500',
    'Longest wait of a request of a key or account with few places left for the answers of other replicas, which tell how many of its requests they run.',
  ),
  hopCostMs: setting(
    'FERRY_HOP_COST_MS',
    integer(0, 60_000),
    '5',
    'Added to the predicted time of a request that another replica passes on to its node. Nodes with an own link are preferred by as much.',
  ),
  hopMaxStreams: setting(
    'FERRY_HOP_MAX_STREAMS',
    integer(1, 1_024),
    '1024',
    'Requests that one replica passes on to another at once.',
  ),
  hopPendingLimitBytes: setting(
    'FERRY_HOP_PENDING_LIMIT_BYTES',
    integer(MEBIBYTE, 1024 * MEBIBYTE),
    '67108864',
    'Bytes of requests and answers between replicas that the NATS server has not confirmed yet. More end the link to the replica that they are for.',
  ),
  hopPingIntervalMs: setting(
    'FERRY_HOP_PING_INTERVAL_MS',
    integer(50, 60_000),
    '2000',
    'Silence of a replica after which the link to it is checked.',
  ),
  hopDeadAfterMs: setting(
    'FERRY_HOP_DEAD_AFTER_MS',
    integer(100, 600_000),
    '6000',
    'Silence of a replica after which the requests that it passes on have failed.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
