import type { IncomingMessage, ServerResponse } from 'node:http';
import { Body, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse } from 'nest-swagger';
import { unixSeconds } from '../../platform/api/list-response.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { Requires, Public } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { SessionCookie } from '../../platform/access/session-cookie.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ApiErrors } from '../../platform/openapi/responses.js';
import { SignInResponder } from '../sign-in/sign-in-responder.js';
import { WhoAmI } from '../users/who-am-i.js';
import { ConsoleLinksService } from './console-links.service.js';
import { IsString, MaxLength } from 'class-validator';

/** Limit of a token; longer than any valid one. */
const TOKEN_CHARACTERS = 1_024;

class SignInLinkDto {
  @ApiProperty({ description: 'The part of the link after `#`.', example: '…' })
  @IsString()
  @MaxLength(TOKEN_CHARACTERS)
  token: string;
}

export class ConsoleLinkRecord {
  @ApiProperty({ enum: ['console_link'] })
  readonly object: 'console_link';
  @ApiProperty({
    description: 'One-time sign-in link for the owner.',
    example: 'https://relay.example/console/start#…',
  })
  readonly url: string;
  @ApiProperty({ type: 'integer', description: 'Expiry, in seconds since 1970.' })
  readonly expires: number;
}

/** The one-time sign-in link of `ferry up`: created with the relay's own token, opened in a browser. */
@ManagementController('', 'Account')
export class ConsoleLinksController {
  constructor(
    private readonly links: ConsoleLinksService,
    private readonly responder: SignInResponder,
    private readonly cookie: SessionCookie,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Post('local/console-link')
  @Requires('console-links:write')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'createConsoleLink',
    summary: 'Create a sign-in link for the owner',
    description:
      'Requires the token that `ferry up` stores on the computer of the relay. The link works once, within 15 minutes.',
  })
  @ApiResponse({ status: 200, description: 'The link. It cannot be retrieved again.', type: ConsoleLinkRecord })
  async create(@CurrentPrincipal() principal: Principal, @Req() request: IncomingMessage): Promise<ConsoleLinkRecord> {
    this.cookie.requirePossible(request);
    const { text, expiresAt } = await this.links.create(principal);
    const url = `${this.config.baseUrl}/console/start#${text}`;
    return { object: 'console_link', url, expires: unixSeconds(expiresAt) };
  }

  @Post('sign-in/link')
  @Public()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'signInByLink', summary: 'Sign in with a one-time link' })
  @ApiResponse({
    status: 200,
    description: 'The signed-in user. The session is in the cookie.',
    type: WhoAmI,
  })
  @ApiErrors('not_found', 'link_used')
  async signIn(
    @Req() request: IncomingMessage,
    @Res({ passthrough: true }) response: ServerResponse,
    @Body() { token }: SignInLinkDto,
  ): Promise<WhoAmI> {
    return this.responder.respond(request, response, (origin) => this.links.signIn(token, origin));
  }
}
