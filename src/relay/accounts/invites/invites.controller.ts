import type { IncomingMessage, ServerResponse } from 'node:http';
import { Body, Delete, Get, Header, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiProperty, ApiResponse } from 'nest-swagger';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { isInviteId } from '../../../kernel/ids.js';
import { InvitesService } from './invites.service.js';
import type { Invite } from './invites.store.js';
import { roles, type Role } from '../../platform/access/principal.js';
import { Requires, Public } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ClientOrigins } from '../../platform/http/client-origin.js';
import { reachableAddress } from '../../platform/http/reachable-address.js';
import { unixSeconds } from '../../platform/api/list-response.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { pageOfAll, type PageResponse } from '../../platform/api/pagination/page.js';
import { PageQueryDto } from '../../platform/api/pagination/page-query.dto.js';
import { SignInResponder } from '../sign-in/sign-in-responder.js';
import { WhoAmI } from '../users/who-am-i.js';
import { AcceptInviteDto, ShowInviteDto, CreateInviteDto } from './invites.dto.js';
import { ApiErrors, ApiPage } from '../../platform/openapi/responses.js';

export class InviteRecord {
  @ApiProperty({ enum: ['invite'] })
  readonly object: 'invite';
  @ApiProperty()
  readonly invite_id: string;
  @ApiProperty({ enum: [...roles], description: 'Each role includes the ones before it.' })
  readonly role: Role;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Id of the user who created it; null for the token of the relay.',
    example: 'usr_5d0c7be1f2a34958b6c7d8e9f0a1b2c3',
  })
  readonly created_by: string | null;
  @ApiProperty({ type: 'integer', description: 'Creation time, in seconds since 1970.' })
  readonly created: number;
  @ApiProperty({ type: 'integer', description: 'Expiry, in seconds since 1970.' })
  readonly expires: number;
}

export class CreatedInviteRecord extends InviteRecord {
  @ApiProperty({ description: 'The token. It cannot be retrieved again.', example: '…' })
  readonly invite_token: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Link for the invited person, to the page that accepts the invite.',
    example: 'https://relay.example/console/invite#…',
  })
  readonly link: string | null;
  @ApiProperty({
    description:
      'Command that accepts the invite without a browser, after the person has filled in e-mail address and password.',
    example:
      'curl -fsS https://relay.example/api/invites/accept -H \'Content-Type: application/json\' -d \'{"token":"…","email":"YOU@EXAMPLE.COM","password":"YOUR-PASSWORD"}\'',
  })
  readonly accept_command: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'What keeps the link from working on another computer, and how to change it.',
    example: null,
  })
  readonly warning: string | null;
}

export class InvitePreviewRecord {
  @ApiProperty({ enum: ['invite_preview'] })
  readonly object: 'invite_preview';
  @ApiProperty({ description: 'The account to join.', example: 'Workshop' })
  readonly account_name: string;
  @ApiProperty({ enum: [...roles], description: 'Each role includes the ones before it.' })
  readonly role: Role;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Name of the user who created it; null for the token of the relay.',
    example: 'Ada',
  })
  readonly inviter: string | null;
  @ApiProperty({ type: 'integer', description: 'Expiry, in seconds since 1970.' })
  readonly expires: number;
}

/** The list omits used and expired invites; they are in the audit trail. */
@ManagementController('invites', 'People')
export class InvitesController {
  constructor(
    private readonly invites: InvitesService,
    private readonly responder: SignInResponder,
    private readonly origins: ClientOrigins,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Get()
  @Requires('invites:write')
  @ApiOperation({ operationId: 'listInvites', summary: 'List open invites' })
  @ApiPage(InviteRecord, 'Oldest first.')
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: PageQueryDto,
  ): Promise<PageResponse<InviteRecord>> {
    const all = await this.invites.list(accountId);
    return pageOfAll(all, query, 'oldest', ({ createdAt, id }) => ({ at: createdAt, id }), inviteRecord);
  }

  @Post()
  @Requires('invites:write')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'createInvite',
    summary: 'Create an invite',
    description:
      'Returns a link for the invited person, and a command with the same effect. No mail is sent. The invite ends when its creator is removed, disabled, signed out everywhere, or may not give the role any more.',
  })
  @ApiBody({ type: CreateInviteDto, required: false })
  @ApiResponse({
    status: 201,
    description: 'The invite with its token. The token cannot be retrieved again.',
    type: CreatedInviteRecord,
  })
  @ApiErrors('recent_sign_in_needed')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() { role }: CreateInviteDto,
    @Req() request: IncomingMessage,
  ): Promise<CreatedInviteRecord> {
    const { url, insecure, warning } = reachableAddress(this.config, request);
    const { invite, text } = await this.invites.create(principal, role ?? 'member');
    return {
      ...inviteRecord(invite),
      invite_token: text,
      link: `${url}/console/invite#${text}`,
      accept_command: acceptCommand(url, text),
      warning: insecure ? `${warning ?? ''} ${onlyThroughTunnel(url)}`.trim() : warning,
    };
  }

  /** The token is in the body, because URLs are logged. */
  @Post('show')
  @Public()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'showInvite',
    summary: 'Get an invite by its token',
    description: 'Changes nothing.',
  })
  @ApiResponse({ status: 200, description: 'The invite, without accepting it.', type: InvitePreviewRecord })
  @ApiErrors('not_found', 'sign_up_closed')
  async showInvite(@Req() request: IncomingMessage, @Body() { token }: ShowInviteDto): Promise<InvitePreviewRecord> {
    const preview = await this.invites.preview(token, this.origins.of(request));
    return {
      object: 'invite_preview',
      account_name: preview.accountName,
      role: preview.role,
      inviter: preview.inviterName,
      expires: unixSeconds(preview.expiresAt),
    };
  }

  @Post('accept')
  @Public()
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'acceptInvite', summary: 'Accept an invite' })
  @ApiResponse({
    status: 201,
    description: 'The signed-in user. The session is in the cookie.',
    type: WhoAmI,
  })
  @ApiErrors('not_found', 'conflict')
  async acceptInvite(
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
    @Body() { token, email, password, name }: AcceptInviteDto,
  ): Promise<WhoAmI> {
    const newUser = { email, password, name: name ?? undefined };
    return this.responder.respond(request, response, (origin) => this.invites.accept(token, newUser, origin));
  }

  @Delete(':inviteId')
  @Requires('invites:write')
  @ApiOperation({ operationId: 'revokeInvite', summary: 'Revoke an invite' })
  @ApiResponse({ status: 200, description: 'The revoked invite.', type: InviteRecord })
  async revoke(@CurrentPrincipal() principal: Principal, @Param('inviteId') id: string): Promise<InviteRecord> {
    if (!isInviteId(id)) throw new FerryError('not_found', 'There is no open invite with this id.');
    return inviteRecord(await this.invites.revoke(principal, id));
  }
}

const acceptCommand = (baseUrl: string, token: string): string => {
  const newUser = { token, email: 'YOU@EXAMPLE.COM', password: 'YOUR-PASSWORD' };
  return `curl -fsS ${baseUrl}/api/invites/accept -H 'Content-Type: application/json' -d '${JSON.stringify(newUser)}'`;
};

/** Sessions over plain http are opened for the relay's own computer only. */
function onlyThroughTunnel(url: string): string {
  const { hostname, port } = new URL(url);
  const own = port || '80';
  return `Accepting an invite needs https, or a tunnel: ssh -N -L ${own}:127.0.0.1:${own} ${hostname}, and http://127.0.0.1:${own} in the link.`;
}

const inviteRecord = ({ id, role, createdBy, createdAt, expiresAt }: Invite): InviteRecord => ({
  object: 'invite',
  invite_id: id,
  role,
  created_by: createdBy,
  created: unixSeconds(createdAt),
  expires: unixSeconds(expiresAt),
});
