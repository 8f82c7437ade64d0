import { Body, Delete, Get, Header, Inject, Param, Post, Query } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { isInviteId } from '../../../kernel/ids.js';
import { InvitesService } from './invites.service.js';
import type { Invite } from './invites.store.js';
import type { Role } from '../../platform/access/manager.js';
import { Management } from '../../platform/access/access.js';
import { CurrentManager, type Manager } from '../../platform/access/identities.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { unixSeconds } from '../../api/list-answer.js';
import { ManagementController } from '../../api/management-controller.js';
import { pageOfAll, type PageAnswer } from '../../api/pagination/page.js';
import { PageQueryDto } from '../../api/pagination/page-query.dto.js';
import { CreateInviteDto } from './create-invite.dto.js';

interface InviteRecord {
  readonly object: 'invite';
  readonly invite_id: string;
  readonly role: Role;
  /** The id of whoever made it; null: the account's own token. */
  readonly created_by: string | null;
  readonly created: number;
  readonly expires: number;
}

interface CreatedInviteRecord extends InviteRecord {
  /** The token itself, this once. */
  readonly invite_token: string;
  /** null: this relay serves no page on which an invite is accepted. */
  readonly link: null;
  /** To be handed over: accepts the invite, with the e-mail address and password of the person filled in. */
  readonly accept_command: string;
}

/** Not told in the list: used and expired ones, which the audit trail remembers. */
@ManagementController('invites')
export class InvitesController {
  constructor(
    private readonly invites: InvitesService,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Get()
  @Management('admin')
  async list(
    @CurrentManager() { accountId }: Manager,
    @Query() query: PageQueryDto,
  ): Promise<PageAnswer<InviteRecord>> {
    const all = await this.invites.list(accountId);
    return pageOfAll(all, query, 'oldest', ({ createdAt, id }) => ({ at: createdAt, id }), inviteRecord);
  }

  @Post()
  @Management('admin')
  @Header('cache-control', 'no-store')
  async create(@CurrentManager() manager: Manager, @Body() { role }: CreateInviteDto): Promise<CreatedInviteRecord> {
    const { invite, text } = await this.invites.create(manager, role ?? 'member');
    return {
      ...inviteRecord(invite),
      invite_token: text,
      link: null,
      accept_command: acceptCommand(this.config.baseUrl, text),
    };
  }

  @Delete(':inviteId')
  @Management('admin')
  async revoke(@CurrentManager() manager: Manager, @Param('inviteId') id: string): Promise<InviteRecord> {
    if (!isInviteId(id)) throw new FerryError('not_found', 'There is no open invite with this id.');
    return inviteRecord(await this.invites.revoke(manager, id));
  }
}

const acceptCommand = (baseUrl: string, token: string): string => {
  const newcomer = { token, email: 'YOU@EXAMPLE.COM', password: 'YOUR-PASSWORD' };
  return `curl -fsS ${baseUrl}/api/invites/accept -H 'Content-Type: application/json' -d '${JSON.stringify(newcomer)}'`;
};

const inviteRecord = ({ id, role, createdBy, createdAt, expiresAt }: Invite): InviteRecord => ({
  object: 'invite',
  invite_id: id,
  role,
  created_by: createdBy,
  created: unixSeconds(createdAt),
  expires: unixSeconds(expiresAt),
});
