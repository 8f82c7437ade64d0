import { ApiProperty } from 'nest-swagger';
import { unixSeconds } from '../../platform/api/list-response.js';
import type { RelayConfig } from '../../platform/config/relay-config.js';
import type { AccountOverview } from './account-overview.store.js';

export class AccountUse {
  @ApiProperty({ type: 'integer', description: 'Current number.' })
  readonly count: number;
  @ApiProperty({ type: 'integer', description: 'Maximum number.' })
  readonly limit: number;
}

export class AccountRetention {
  @ApiProperty({ type: 'integer', description: 'Retention of the request log, which contains no prompts.' })
  readonly request_log_days: number;
  @ApiProperty({ type: 'integer', description: 'Retention of hourly usage.' })
  readonly usage_days: number;
  @ApiProperty({ type: 'integer', description: 'Retention of the audit trail.' })
  readonly audit_days: number;
}

export class AccountRecord {
  @ApiProperty({ enum: ['account'] })
  readonly object: 'account';
  @ApiProperty()
  readonly account_id: string;
  @ApiProperty({ example: 'Workshop' })
  readonly name: string;
  @ApiProperty({ type: 'integer', description: 'Seconds since 1970.' })
  readonly created: number;
  @ApiProperty({ type: () => AccountUse })
  readonly users: AccountUse;
  @ApiProperty({ type: () => AccountUse })
  readonly nodes: AccountUse;
  @ApiProperty({ type: () => AccountUse })
  readonly clusters: AccountUse;
  @ApiProperty({ type: () => AccountUse, description: 'Active keys.' })
  readonly keys: AccountUse;
  @ApiProperty({ type: 'integer', description: 'Invites that can still be accepted.' })
  readonly open_invites: number;
  @ApiProperty({ type: () => AccountRetention })
  readonly retention: AccountRetention;
}

export const accountRecord = (
  account: AccountOverview,
  { settings }: Pick<RelayConfig, 'settings'>,
): AccountRecord => ({
  object: 'account',
  account_id: account.id,
  name: account.name,
  created: unixSeconds(account.createdAt),
  users: { count: account.users, limit: settings.usersPerAccount },
  nodes: { count: account.nodes, limit: settings.nodesPerAccount },
  clusters: { count: account.clusters, limit: settings.clustersPerAccount },
  keys: { count: account.activeKeys, limit: settings.apiKeysPerAccount },
  open_invites: account.openInvites,
  retention: {
    request_log_days: settings.requestLogRetentionDays,
    usage_days: settings.usageRetentionDays,
    audit_days: settings.auditRetentionDays,
  },
});
