/** The contract of `/api`: how often, and how long a repeated request is recognised. */
import type { Setting } from '../../../../kernel/settings.js';
import { integer, setting } from './setting.js';

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
  ),
  idempotencyKeysPerAccount: setting(
    'FERRY_IDEMPOTENCY_KEYS_PER_ACCOUNT',
    integer(1, 1_000_000),
    '10000',
    'Idempotency keys remembered for one account. More are answered with 429.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
