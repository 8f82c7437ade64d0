import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { refuseOtherSites } from '../../platform/access/same-site.js';
import { SessionCookie } from '../../platform/access/session-cookie.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ClientOrigins, type ClientOrigin } from '../../platform/http/client-origin.js';
import { whoAmIRecord, WhoAmI } from '../users/who-am-i.js';
import type { SignedIn } from './sign-in.service.js';

/** The HTTP side of every route that opens a session: checks where the request comes from and sets the cookie. */
@Injectable()
export class SignInResponder {
  constructor(
    private readonly cookie: SessionCookie,
    private readonly origins: ClientOrigins,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /**
   * @param enter opens the session; not called when another site sent the request or no cookie can be set
   * @throws FerryError `cross_site_request`, `unsupported_content_type`, and what `enter` throws
   */
  async respond(
    request: IncomingMessage,
    response: ServerResponse,
    enter: (origin: ClientOrigin) => Promise<SignedIn>,
  ): Promise<WhoAmI> {
    refuseOtherSites(request, this.config.baseUrl);
    this.cookie.requirePossible(request);
    const { text, principal, user } = await enter(this.origins.of(request));
    this.cookie.write(response, text);
    return whoAmIRecord(this.config, principal, user);
  }
}
