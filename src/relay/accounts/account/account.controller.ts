import { Body, Get, Inject, Patch } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiProperty } from 'nest-swagger';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../../kernel/ids.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { AccountOverviewStore } from './account-overview.store.js';
import { accountRecord, AccountRecord } from './account-record.js';
import { Matches } from 'class-validator';
import { NAME, NAME_RULE } from '../../platform/api/names.js';

class ChangeAccountDto {
  @ApiProperty({ example: 'Workshop' })
  @Matches(NAME, { message: NAME_RULE })
  name: string;
}

/** The account of the caller. */
@ManagementController('account', 'Account')
export class AccountController {
  constructor(
    private readonly store: AccountOverviewStore,
    private readonly audit: AuditTrail,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Get()
  @Requires('account:read')
  @ApiOperation({ operationId: 'showAccount', summary: 'Get the account, its limits and retention periods' })
  @ApiResponse({ status: 200, description: 'The account of the credential.', type: AccountRecord })
  show(@CurrentPrincipal() { accountId }: Principal): Promise<AccountRecord> {
    return this.record(accountId);
  }

  @Patch()
  @Requires('account:write')
  @ApiOperation({ operationId: 'changeAccount', summary: 'Rename the account' })
  @ApiResponse({ status: 200, description: 'The updated object.', type: AccountRecord })
  async change(@CurrentPrincipal() actor: Principal, @Body() { name }: ChangeAccountDto): Promise<AccountRecord> {
    const { accountId } = actor;
    const before = await this.record(accountId);
    await this.store.transaction(async (manager) => {
      await this.store.rename(manager, accountId, name);
      const object = { kind: 'account', id: accountId };
      const detail = { from: before.name, to: name };
      await this.audit.record(manager, { accountId, actor, action: 'account.rename', object, detail });
    });
    return this.record(accountId);
  }

  private async record(accountId: AccountId): Promise<AccountRecord> {
    const account = await this.store.find(accountId);
    if (account === undefined) throw new FerryError('not_found');
    return accountRecord(account, this.config);
  }
}
