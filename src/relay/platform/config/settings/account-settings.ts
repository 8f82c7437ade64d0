/** Quotas of an account, and the cache of its credentials (docs/reference/security.md#api-keys). */
import { z } from 'zod';
import type { Setting } from '../../../../kernel/settings/setting.js';
import { integer, reloadable, setting } from './setting.js';

export const accountSettings = {
  nodesPerAccount: setting('FERRY_NODES_PER_ACCOUNT', integer(1, 100_000), '50', 'Nodes of one account.', reloadable),
  clustersPerAccount: setting(
    'FERRY_CLUSTERS_PER_ACCOUNT',
    integer(1, 100_000),
    '50',
    'Clusters of one account.',
    reloadable,
  ),
  apiKeysPerAccount: setting(
    'FERRY_API_KEYS_PER_ACCOUNT',
    integer(1, 100_000),
    '100',
    'Active API keys of one account.',
    reloadable,
  ),
  modelsPerAccount: setting('FERRY_MODELS_PER_ACCOUNT', integer(1, 1_000_000), '20000', 'Known models of one account.'),
  joinTokenLifetimeMs: setting(
    'FERRY_JOIN_TOKEN_LIFETIME_MS',
    integer(1_000, 86_400_000),
    '900000',
    'Lifetime of a join token. It works once.',
    reloadable,
  ),
  keyCacheFreshMs: setting(
    'FERRY_KEY_CACHE_FRESH_MS',
    integer(0, 600_000),
    '30000',
    'Time for which a verified key is not looked up again.',
  ),
  keyCacheStaleMs: setting(
    'FERRY_KEY_CACHE_STALE_MS',
    integer(0, 3_600_000),
    '300000',
    'Time for which a verified key keeps working while the database is down.',
  ),
  keyCacheEntries: setting(
    'FERRY_KEY_CACHE_ENTRIES',
    integer(1, 10_000_000),
    '50000',
    'Credentials kept in the cache.',
  ),
} as const satisfies Record<string, Setting<unknown>>;

/** Operations on models: install, load, unload, remove. */
export const operationSettings = {
  operationsPerNode: setting(
    'FERRY_OPERATIONS_PER_NODE',
    integer(1, 1_000),
    '16',
    'Unfinished operations of one node.',
    reloadable,
  ),
  operationsPerAccount: setting(
    'FERRY_OPERATIONS_PER_ACCOUNT',
    integer(1, 100_000),
    '200',
    'Unfinished operations of one account.',
    reloadable,
  ),
  operationsKeptPerAccount: setting(
    'FERRY_OPERATIONS_KEPT_PER_ACCOUNT',
    integer(1, 100_000),
    '500',
    'Operations of one account that are kept. The oldest finished ones are deleted first.',
    reloadable,
  ),
  operationFailuresKeptDays: setting(
    'FERRY_OPERATION_FAILURES_KEPT_DAYS',
    integer(0, 36_500),
    '7',
    'Time for which a failed operation is kept beside that number, unless it is dismissed or tried again.',
    reloadable,
  ),
  operationFeedsPerAccount: setting(
    'FERRY_OPERATION_FEEDS_PER_ACCOUNT',
    integer(1, 10_000),
    '32',
    'Progress streams that one account may have open.',
  ),
  hubUrl: setting(
    'FERRY_HUB_URL',
    z.url({ protocol: /^https?$/ }),
    'https://huggingface.co',
    'Catalogue in which the website searches for models to install: Hugging Face or a mirror.',
  ),
  hubTimeoutMs: setting(
    'FERRY_HUB_TIMEOUT_MS',
    integer(500, 60_000),
    '10000',
    'Timeout for a response of the catalogue at `FERRY_HUB_URL`.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
