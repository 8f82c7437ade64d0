import { Delete, Get, Param, Res } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { listAnswer, unixSeconds, unixSecondsOrNull, type ListAnswer } from '../../api/list-answer.js';
import { ManagementController } from '../../api/management-controller.js';
import { Management } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { SessionCookie } from '../../platform/access/session-cookie.js';
import { ApiErrors, ApiPage } from '../../platform/openapi/answers.js';
import { ApiOperation, ApiProperty, ApiResponse } from '../../platform/openapi/decorators.js';
import { UserCredentialsService, type UserCredential } from './user-credentials.service.js';

export class SessionRecord {
  @ApiProperty({ enum: ['session'] })
  readonly object: 'session';
  @ApiProperty({ example: 'ses_Rk2v9XwQ4tLs' })
  readonly session_id: string;
  @ApiProperty({ enum: ['session', 'cli_token'], description: 'A browser, or a command line.' })
  readonly kind: 'session' | 'cli_token';
  @ApiProperty({ type: 'string', nullable: true, description: 'Of a command line.', example: 'ferry on laptop' })
  readonly name: string | null;
  @ApiProperty({ type: 'integer', description: 'When it was signed in. Seconds since 1970.' })
  readonly created: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Accurate to a minute; null: not recorded, as for a command line. Seconds since 1970.',
  })
  readonly last_used: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Of a command line: until when it is signed in. Seconds since 1970.',
  })
  readonly expires: number | null;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Where the browser signed in from.',
    example: '203.0.113.7',
  })
  readonly ip: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'Of the browser at its sign-in.' })
  readonly user_agent: string | null;
  @ApiProperty({ description: 'Whether this request came with it.' })
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

/** The caller's own sessions and command lines. */
@ManagementController('sessions', 'Account')
export class SessionsController {
  constructor(
    private readonly credentials: UserCredentialsService,
    private readonly cookie: SessionCookie,
  ) {}

  @Get()
  @Management('member')
  @ApiOperation({ operationId: 'listSessions', summary: 'List what one is signed in with' })
  @ApiPage(SessionRecord, 'Browsers first, the one used last on top; then command lines. One page has them all.')
  async list(
    @CurrentPrincipal() principal: Principal,
  ): Promise<ListAnswer<SessionRecord> & { readonly has_more: false; readonly next_cursor: null }> {
    const all = await this.credentials.list(principal);
    const data = all.map((credential) => sessionRecord(credential, principal.credential.id));
    return { ...listAnswer(data), has_more: false, next_cursor: null };
  }

  @Delete(':sessionId')
  @Management('member')
  @ApiOperation({ operationId: 'endSession', summary: 'Sign one browser or command line out' })
  @ApiResponse({ status: 200, description: 'It has ended.', type: EndedSessionRecord })
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
