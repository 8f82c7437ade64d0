import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { parseCredential } from '../../kernel/credential.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { CliTokensService } from '../accounts/cli-tokens.service.js';
import type { Principal } from '../platform/access/principal.js';
import { SessionsService } from '../accounts/sessions/sessions.service.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { noOllamaApi } from '../platform/http/errors/route-not-found.js';
import { headerValues } from '../platform/http/header-values.js';
import { pathOf } from '../platform/http/request-path.js';
import { bearerCredential } from './bearer-credential.js';
import { requireSameSite } from '../platform/access/same-site.js';
import { SessionCookie } from '../platform/access/session-cookie.js';

const CHAT_PATH = '/api/chat';

/** Verifies exactly one of a session cookie or a CLI token as bearer, never an API key (docs/reference/api-behaviour.md#surfaces). */
@Injectable()
export class PrincipalVerifier {
  constructor(
    private readonly cliTokens: CliTokensService,
    private readonly sessions: SessionsService,
    private readonly cookie: SessionCookie,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** @throws FerryError `missing_or_malformed_credential`, `invalid_credential`, `invalid_request` (both kinds at once), `cross_site_request` */
  async verify(request: IncomingMessage): Promise<Principal> {
    const session = this.cookie.read(request);
    if (session === undefined) {
      const credential = bearerCredential(request);
      // Ollama's chat route is one of the website here.
      if (pathOf(request.url ?? '') === CHAT_PATH && parseCredential('api-key', credential) !== undefined) {
        throw noOllamaApi();
      }
      return this.cliTokens.verify(credential);
    }
    if (headerValues(request, 'authorization').length > 0) {
      throw new FerryError('invalid_request', 'Send either a session cookie or a CLI token, not both.');
    }
    requireSameSite(request, this.config.baseUrl);
    return this.sessions.verify(session);
  }
}
