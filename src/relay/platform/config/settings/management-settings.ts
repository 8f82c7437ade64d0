/** Limits of `/api`: rates, the time for which a repeated request is recognised, and the chat of a user. */
import type { Setting } from '../../../../kernel/settings/setting.js';
import { integer, MEBIBYTE, reloadable, setting } from './setting.js';

export const managementSettings = {
  managementPerCredentialPerMinute: setting(
    'FERRY_MANAGEMENT_PER_CREDENTIAL_PER_MINUTE',
    integer(6, 1_000_000),
    '3000',
    'Management requests of one credential. The burst is ten seconds’ worth.',
  ),
  managementPerAccountPerMinute: setting(
    'FERRY_MANAGEMENT_PER_ACCOUNT_PER_MINUTE',
    integer(6, 1_000_000),
    '6000',
    'Management requests of one account. The burst is ten seconds’ worth.',
  ),
  managementPerAddressPerMinute: setting(
    'FERRY_MANAGEMENT_PER_ADDRESS_PER_MINUTE',
    integer(6, 1_000_000),
    '6000',
    'Management requests from one address (IPv6: /64), with or without a credential.',
  ),
  managementFailedPerAddressPerMinute: setting(
    'FERRY_MANAGEMENT_FAILED_PER_ADDRESS_PER_MINUTE',
    integer(6, 1_000_000),
    '300',
    'Management requests from one address that are answered with 401 before the address gets 429.',
  ),
  idempotencyRetentionHours: setting(
    'FERRY_IDEMPOTENCY_RETENTION_HOURS',
    integer(1, 720),
    '24',
    'Time for which an `Idempotency-Key` is remembered.',
    reloadable,
  ),
  idempotencyKeysPerAccount: setting(
    'FERRY_IDEMPOTENCY_KEYS_PER_ACCOUNT',
    integer(1, 1_000_000),
    '10000',
    'Idempotency keys remembered for one account. More are answered with 429.',
  ),
  eventFeedsPerAccount: setting(
    'FERRY_EVENT_FEEDS_PER_ACCOUNT',
    integer(1, 10_000),
    '64',
    'Event feeds (`GET /api/events`) that one account may have open. More are answered with 429.',
    reloadable,
  ),
  eventFeedsPerUser: setting(
    'FERRY_EVENT_FEEDS_PER_USER',
    integer(1, 10_000),
    '24',
    'Feeds of changes and of operations that one user may have open, at each relay. More are answered with 429.',
    reloadable,
  ),
  eventFeedBufferBytes: setting(
    'FERRY_EVENT_FEED_BUFFER_BYTES',
    integer(1_024, 16 * MEBIBYTE),
    '262144',
    'Unread bytes at which an event feed is closed. Its client opens a new one.',
  ),
  chatRequestsPerUserPerMinute: setting(
    'FERRY_CHAT_REQUESTS_PER_USER_PER_MINUTE',
    integer(0, 1_000_000),
    '60',
    'Chat requests (`POST /api/chat`) of one signed-in user per minute. 0: no limit.',
    reloadable,
  ),
  chatTokensPerUserPerMinute: setting(
    'FERRY_CHAT_TOKENS_PER_USER_PER_MINUTE',
    integer(0, 1_000_000_000),
    '0',
    'Input and output tokens of the chat requests of one user per minute. 0: no limit.',
    reloadable,
  ),
  chatConcurrencyPerUser: setting(
    'FERRY_CHAT_CONCURRENCY_PER_USER',
    integer(0, 10_000),
    '4',
    'Concurrent chat requests of one user, queued ones included. 0: no limit.',
    reloadable,
  ),
} as const satisfies Record<string, Setting<unknown>>;
