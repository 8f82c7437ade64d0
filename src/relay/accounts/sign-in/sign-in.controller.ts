import type { IncomingMessage, ServerResponse } from 'node:http';
import { Body, Get, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse } from 'nest-swagger';
import { SignInResponder } from './sign-in-responder.js';
import { SignInService } from './sign-in.service.js';
import { SignUpService } from './sign-up.service.js';
import { Public } from '../../platform/access/access.js';
import { SessionCookie } from '../../platform/access/session-cookie.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { SignInMethods, signInMethods } from './sign-in-methods.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { SignInDto, SignUpDto } from './sign-in.dto.js';
import { WhoAmI } from '../users/who-am-i.js';
import { ApiErrors } from '../../platform/openapi/responses.js';

/** Sign-in routes. They return the principal and set the cookie of a new session. */
@ManagementController('', 'Account')
export class SignInController {
  constructor(
    private readonly signIns: SignInService,
    private readonly signUps: SignUpService,
    private readonly responder: SignInResponder,
    private readonly cookie: SessionCookie,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Get('sign-in/methods')
  @Public()
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'signInMethods', summary: 'List the sign-in methods' })
  @ApiResponse({ status: 200, description: 'The available methods.', type: SignInMethods })
  methods(@Req() request: IncomingMessage): SignInMethods {
    return signInMethods(this.config, this.cookie.isPossible(request));
  }

  @Post('sign-in')
  @Public()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'signIn',
    summary: 'Sign in with a password',
    description: 'For browsers. Failed attempts delay further ones, per user and per IP address.',
  })
  @ApiResponse({
    status: 200,
    description: 'The signed-in user. The session is in the cookie.',
    type: WhoAmI,
  })
  @ApiErrors('wrong_email_or_password')
  async signIn(
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
    @Body() { email, password }: SignInDto,
  ): Promise<WhoAmI> {
    return this.responder.respond(request, response, (origin) => this.signIns.signIn(email, password, origin));
  }

  @Post('sign-up')
  @Public()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'signUp',
    summary: 'Sign up',
    description: 'Creates an account. Only if the relay runs with `FERRY_SIGN_UP=open`.',
  })
  @ApiResponse({
    status: 201,
    description: 'The signed-in user. The session is in the cookie.',
    type: WhoAmI,
  })
  @ApiErrors('sign_up_closed', 'conflict')
  async signUp(
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
    @Body() { email, password, name }: SignUpDto,
  ): Promise<WhoAmI> {
    const newUser = { email, password, name: name ?? undefined };
    return this.responder.respond(request, response, (origin) => this.signUps.signUp(newUser, origin));
  }
}
