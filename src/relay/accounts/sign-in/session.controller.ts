import type { IncomingMessage, ServerResponse } from 'node:http';
import { Body, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse } from 'nest-swagger';
import { SignInService } from './sign-in.service.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { UsersService } from '../users/users.service.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { Requires } from '../../platform/access/access.js';
import { SessionCookie } from '../../platform/access/session-cookie.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ClientOrigins } from '../../platform/http/client-origin.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { ChangePasswordDto, FirstPasswordDto } from './sign-in.dto.js';
import { whoAmIRecord, WhoAmI } from '../users/who-am-i.js';
import { ApiErrors } from '../../platform/openapi/responses.js';

export class SignedOutRecord {
  @ApiProperty({ enum: ['signed_out'] })
  readonly object: 'signed_out';
  @ApiProperty({ description: 'Whether all other sessions and CLI tokens of this user have ended, too.' })
  readonly everywhere: boolean;
}

/** The caller's session and password. */
@ManagementController('', 'Account')
export class SessionController {
  constructor(
    private readonly signIns: SignInService,
    private readonly passwords: PasswordsService,
    private readonly users: UsersService,
    private readonly cookie: SessionCookie,
    private readonly origins: ClientOrigins,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Post('sign-out')
  @Requires('sessions:write')
  @HttpCode(200)
  @ApiOperation({ operationId: 'signOut', summary: 'End this session or CLI token' })
  @ApiResponse({ status: 200, description: 'The session or token has ended.', type: SignedOutRecord })
  async signOut(
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<SignedOutRecord> {
    await this.signIns.signOut(principal);
    this.cookie.clear(response);
    return { object: 'signed_out', everywhere: false };
  }

  @Post('sign-out-everywhere')
  @Requires('sessions:write')
  @HttpCode(200)
  @ApiOperation({ operationId: 'signOutEverywhere', summary: 'End all your sessions and CLI tokens' })
  @ApiResponse({ status: 200, description: 'All sessions and tokens have ended.', type: SignedOutRecord })
  async signOutEverywhere(
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<SignedOutRecord> {
    await this.signIns.signOutEverywhere(principal);
    this.cookie.clear(response);
    return { object: 'signed_out', everywhere: true };
  }

  @Post('password')
  @Requires('sessions:write')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'changePassword',
    summary: 'Change your password',
    description: 'Ends all your sessions and CLI tokens. A request with a session gets a new session.',
  })
  @ApiResponse({ status: 200, description: 'The password is changed.', type: WhoAmI })
  @ApiErrors('wrong_email_or_password')
  async changePassword(
    @CurrentPrincipal() principal: Principal,
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
    @Body() { current_password, new_password }: ChangePasswordDto,
  ): Promise<WhoAmI> {
    const origin = this.origins.of(request);
    const opened = await this.passwords.change(principal, current_password, new_password, origin);
    if (opened !== undefined) this.cookie.write(response, opened.text);
    return whoAmIRecord(this.config, opened?.principal ?? principal, await this.users.self(principal));
  }

  /** Also sets the e-mail address and name of the first owner. Ends the other sessions; this session gets a new id. */
  @Post('password/first')
  @Requires('sessions:write')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'setFirstPassword',
    summary: 'Set your first password',
    description: 'For users who signed in with the link of `ferry up` and have no password yet.',
  })
  @ApiResponse({
    status: 200,
    description: 'The password is set, and the cookie is that of a new session.',
    type: WhoAmI,
  })
  @ApiErrors('conflict', 'recent_sign_in_needed')
  async setFirstPassword(
    @CurrentPrincipal() principal: Principal,
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
    @Body() { password, email, name }: FirstPasswordDto,
  ): Promise<WhoAmI> {
    const first = { password, email: email ?? undefined, name: name ?? undefined };
    const opened = await this.passwords.setFirst(principal, first, this.origins.of(request));
    this.cookie.write(response, opened.text);
    return whoAmIRecord(this.config, opened.principal, await this.users.self(principal));
  }
}
