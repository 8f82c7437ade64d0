/** What owners have their nodes do with models: install, load, unload, remove. */
import type { Setting } from '../../../../kernel/settings.js';
import { integer, setting } from './setting.js';

export const operationSettings = {
  operationsPerNode: setting(
    'FERRY_OPERATIONS_PER_NODE',
    integer(1, 1_000),
    '16',
    'Unfinished operations of one node.',
  ),
  operationsPerAccount: setting(
    'FERRY_OPERATIONS_PER_ACCOUNT',
    integer(1, 100_000),
    '200',
    'Unfinished operations of one account.',
  ),
  operationsKeptPerAccount: setting(
    'FERRY_OPERATIONS_KEPT_PER_ACCOUNT',
    integer(1, 100_000),
    '500',
    'Operations of one account that are kept. The oldest finished ones are deleted first.',
  ),
  operationFeedsPerAccount: setting(
    'FERRY_OPERATION_FEEDS_PER_ACCOUNT',
    integer(1, 10_000),
    '32',
    'Progress streams that one account may have open.',
  ),
} as const satisfies Record<string, Setting<unknown>>;
