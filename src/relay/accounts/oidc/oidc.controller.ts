import type { IncomingMessage, ServerResponse } from 'node:http';
import { Get, Header, HttpCode, Inject, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse } from 'nest-swagger';
import { systemClock } from '../../../kernel/clock.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { OidcSignInService } from './oidc-sign-in.service.js';
import { OpenIdProvider } from './openid-provider.js';
import { AddressLimits } from '../../platform/limits/address-limits.js';
import { Public } from '../../platform/access/access.js';
import { SessionCookie } from '../../platform/access/session-cookie.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ClientOrigins } from '../../platform/http/client-origin.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { attemptCookie, attemptOf, CLEARED_ATTEMPT } from './attempt-cookie.js';
import { ApiErrors } from '../../platform/openapi/responses.js';

const FOUND = 302;

/** Sign-in through an OpenID provider with browser redirects. Both routes respond with 404 unless a provider is configured. */
@ManagementController('oidc', 'Account')
export class OidcController {
  constructor(
    private readonly provider: OpenIdProvider,
    private readonly signIns: OidcSignInService,
    private readonly cookie: SessionCookie,
    private readonly limits: AddressLimits,
    private readonly origins: ClientOrigins,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Get('start')
  @Public()
  @HttpCode(FOUND)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'startOpenId',
    summary: 'Sign in through an OpenID provider',
    description: 'For browsers. Only when a provider is configured.',
  })
  @ApiResponse({ status: 302, description: 'Redirect to the provider.' })
  @ApiErrors('invalid_request', 'route_not_found')
  async start(@Req() request: IncomingMessage, @Res({ passthrough: true }) response: ServerResponse): Promise<void> {
    this.cookie.requirePossible(request);
    this.limits.count('sign-in', this.origins.of(request).ip);
    const { attempt, url } = await this.provider.begin();
    const { baseUrl, secret } = this.config;
    const secure = baseUrl.startsWith('https:');
    response.setHeader('set-cookie', attemptCookie(attempt, secret, secure, systemClock.wallMs()));
    response.setHeader('location', url);
  }

  /** Accepts only the browser that started the sign-in, as protection against login CSRF with another user's code. */
  @Get('callback')
  @Public()
  @HttpCode(FOUND)
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'finishOpenId', summary: 'Finish the sign-in through an OpenID provider' })
  @ApiResponse({
    status: 302,
    description:
      'Redirect to the website with the cookie of a new session, or to the sign-in page when the sign-in is refused.',
  })
  @ApiErrors('invalid_request', 'sign_in_refused', 'route_not_found')
  async callback(@Req() request: IncomingMessage, @Res({ passthrough: true }) response: ServerResponse): Promise<void> {
    const root = `${this.config.baseUrl}/console`;
    try {
      await this.finish(request, response);
      response.setHeader('location', root);
    } catch (error) {
      const isRefusal = error instanceof FerryError && error.code === 'sign_in_refused';
      // Redirects instead of responding with JSON, because a person sees this page.
      if (!isRefusal || request.headers.accept?.includes('text/html') !== true) throw error;
      response.setHeader('location', `${root}/sign-in?reason=${error.code}`);
    }
  }

  private async finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = this.origins.of(request);
    this.limits.count('sign-in', origin.ip);
    const attempt = attemptOf(request, this.config.secret, systemClock.wallMs());
    if (attempt === undefined) throw new FerryError('sign_in_refused');
    response.setHeader('set-cookie', CLEARED_ATTEMPT);
    const person = await this.provider.finish(attempt, request.url?.split('?', 2)[1] ?? '');
    const { text } = await this.signIns.enter(person, origin);
    this.cookie.write(response, text);
  }
}
