import { Delete, Get, Param, Res } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { ApiOperation, ApiProperty, ApiResponse } from 'nest-swagger';
import { listResponse, unixSeconds, unixSecondsOrNull, type ListResponse } from '../../platform/api/list-response.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { SessionCookie } from '../../platform/access/session-cookie.js';
import { ApiErrors, ApiPage } from '../../platform/openapi/responses.js';
import { UserCredentialsService, type UserCredential } from './user-credentials.service.js';

export class SessionRecord {
  @ApiProperty({ enum: ['session'] })
  readonly object: 'session';
  @ApiProperty({ example: 'ses_Rk2v9XwQ4tLs' })
  readonly session_id: string;
  @ApiProperty({ enum: ['session', 'cli_token'], description: 'A browser session or the token of a command line.' })
  readonly kind: 'session' | 'cli_token';
  @ApiProperty({ type: 'string', nullable: true, description: 'Name of a command line.', example: 'ferry on laptop' })
  readonly name: string | null;
  @ApiProperty({ type: 'integer', description: 'Time of the sign-in, in seconds since 1970.' })
  readonly created: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Last use to the minute, in seconds since 1970; null if not recorded, as for a command line.',
  })
  readonly last_used: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Expiry of the token of a command line, in seconds since 1970.',
  })
  readonly expires: number | null;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'IP address of the browser at the sign-in.',
    example: '203.0.113.7',
  })
  readonly ip: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'User agent of the browser at the sign-in.' })
  readonly user_agent: string | null;
  @ApiProperty({ description: 'Whether this request used it.' })
  readonly current: boolean;
}

export class EndedSessionRecord {
  @ApiProperty({ enum: ['session'] })
  readonly object: 'session';
  @ApiProperty({ example: 'ses_Rk2v9XwQ4tLs' })
  readonly session_id: string;
  @ApiProperty({ enum: [true] })
  readonly ended: true;
}

/** The caller's sessions and CLI tokens. */
@ManagementController('sessions', 'Account')
export class SessionsController {
  constructor(
    private readonly credentials: UserCredentialsService,
    private readonly cookie: SessionCookie,
  ) {}

  @Get()
  @Requires('sessions:write')
  @ApiOperation({ operationId: 'listSessions', summary: 'List your sessions and command lines' })
  @ApiPage(SessionRecord, 'Browsers first, the most recently used one on top, then command lines. Always one page.')
  async list(
    @CurrentPrincipal() principal: Principal,
  ): Promise<ListResponse<SessionRecord> & { readonly has_more: false; readonly next_cursor: null }> {
    const all = await this.credentials.list(principal);
    const data = all.map((credential) => sessionRecord(credential, principal.credential.id));
    return { ...listResponse(data), has_more: false, next_cursor: null };
  }

  @Delete(':sessionId')
  @Requires('sessions:write')
  @ApiOperation({ operationId: 'endSession', summary: 'End one session or CLI token' })
  @ApiResponse({ status: 200, description: 'The session or token has ended.', type: EndedSessionRecord })
  @ApiErrors('not_found')
  async end(
    @CurrentPrincipal() principal: Principal,
    @Param('sessionId') id: string,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<EndedSessionRecord> {
    await this.credentials.end(principal, id);
    if (principal.credential.kind === 'session' && principal.credential.id === id) this.cookie.clear(response);
    return { object: 'session', session_id: id, ended: true };
  }
}

function sessionRecord(credential: UserCredential, currentId: string): SessionRecord {
  const { id, createdAt } = credential;
  const common = { object: 'session', session_id: id } as const;
  const created = unixSeconds(createdAt);
  const current = id === currentId;
  if (credential.kind === 'session') {
    const { lastSeenAt, ip, userAgent: user_agent } = credential;
    const last_used = unixSeconds(lastSeenAt);
    return { ...common, kind: 'session', name: null, created, last_used, expires: null, ip, user_agent, current };
  }
  const { name, expiresAt } = credential;
  const expires = unixSecondsOrNull(expiresAt);
  return { ...common, kind: 'cli_token', name, created, last_used: null, expires, ip: null, user_agent: null, current };
}
