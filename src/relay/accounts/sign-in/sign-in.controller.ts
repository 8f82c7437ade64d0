import type { IncomingMessage, ServerResponse } from 'node:http';
import { Body, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { InvitesService } from '../invites/invites.service.js';
import { SignInService, type SignedIn } from './sign-in.service.js';
import { SignUpService } from './sign-up.service.js';
import { Public } from '../../platform/access/access.js';
import { refuseOtherSites } from '../../platform/access/same-site.js';
import { SessionCookie } from '../../platform/access/session-cookie.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ClientOrigins, type ClientOrigin } from '../../platform/http/client-origin.js';
import { ManagementController } from '../../api/management-controller.js';
import { AcceptInviteDto, SignInDto, SignUpDto } from './sign-in.dto.js';
import { whoAmIRecord, WhoAmI } from '../users/who-am-i.js';
import { ApiErrors } from '../../platform/openapi/answers.js';
import { ApiOperation, ApiResponse } from '../../platform/openapi/decorators.js';

/** The ways in. Each answers who one is now, and with the cookie of a new session. */
@ManagementController('', 'Account')
export class SignInController {
  constructor(
    private readonly signIns: SignInService,
    private readonly signUps: SignUpService,
    private readonly invites: InvitesService,
    private readonly cookie: SessionCookie,
    private readonly origins: ClientOrigins,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Post('sign-in')
  @Public()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'signIn',
    summary: 'Sign in with a password',
    description: 'For browsers. Wrong attempts make the next ones wait, per person and per address.',
  })
  @ApiResponse({
    status: 200,
    description: 'Who one is now. The session is in the cookie that comes with it.',
    type: WhoAmI,
  })
  @ApiErrors('wrong_email_or_password')
  async signIn(
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
    @Body() { email, password }: SignInDto,
  ): Promise<WhoAmI> {
    return this.#enter(request, response, (origin) => this.signIns.signIn(email, password, origin));
  }

  @Post('sign-up')
  @Public()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'signUp',
    summary: 'Make an account of one’s own',
    description: 'Only where the relay was set up with `FERRY_SIGN_UP=open`.',
  })
  @ApiResponse({
    status: 201,
    description: 'Who one is now. The session is in the cookie that comes with it.',
    type: WhoAmI,
  })
  @ApiErrors('sign_up_closed', 'conflict')
  async signUp(
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
    @Body() { email, password, name }: SignUpDto,
  ): Promise<WhoAmI> {
    const newcomer = { email, password, name: name ?? undefined };
    return this.#enter(request, response, (origin) => this.signUps.signUp(newcomer, origin));
  }

  @Post('invites/accept')
  @Public()
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'acceptInvite', summary: 'Accept an invite' })
  @ApiResponse({
    status: 201,
    description: 'Who one is now. The session is in the cookie that comes with it.',
    type: WhoAmI,
  })
  @ApiErrors('not_found', 'conflict')
  async acceptInvite(
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
    @Body() { token, email, password, name }: AcceptInviteDto,
  ): Promise<WhoAmI> {
    const newcomer = { email, password, name: name ?? undefined };
    return this.#enter(request, response, (origin) => this.invites.accept(token, newcomer, origin));
  }

  async #enter(
    request: IncomingMessage,
    response: ServerResponse,
    enter: (origin: ClientOrigin) => Promise<SignedIn>,
  ): Promise<WhoAmI> {
    refuseOtherSites(request, this.config.baseUrl);
    this.cookie.requirePossible();
    const { text, principal, user } = await enter(this.origins.of(request));
    this.cookie.write(response, text);
    return whoAmIRecord(this.config, principal, user);
  }
}
