/** The contract of `/api`: how often, and how long a repeated request is recognised. */
import type { Setting } from '../../../../kernel/settings.js';
import { integer, setting } from './setting.js';

export const managementSettings = {
  managementPerCredentialPerMinute: setting(
    'FERRY_MANAGEMENT_PER_CREDENTIAL_PER_MINUTE',
    integer(6, 1_000_000),
    '3000',
    'Management requests of one credential; ten seconds worth of them may come at once.',
  ),
  managementPerAccountPerMinute: setting(
    'FERRY_MANAGEMENT_PER_ACCOUNT_PER_MINUTE',
    integer(6, 1_000_000),
    '6000',
    'Management requests of one account; ten seconds worth of them may come at once.',
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
    'Management requests from one address that may be answered with 401 before the address has to wait.',
  ),
  idempotencyRetentionHours: setting(
    'FERRY_IDEMPOTENCY_RETENTION_HOURS',
    integer(1, 720),
    '24',
    'A repeated management request is recognised by its Idempotency-Key for this long.',
  ),
  idempotencyKeysPerAccount: setting(
    'FERRY_IDEMPOTENCY_KEYS_PER_ACCOUNT',
    integer(1, 1_000_000),
    '10000',
    'Idempotency keys of one account that are remembered at a time; more are answered with 429.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
