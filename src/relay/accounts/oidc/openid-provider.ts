import { Inject, Injectable } from '@nestjs/common';
import * as openid from 'openid-client';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { normalEmail } from '../users/email.js';

/** What the browser keeps between leaving for the provider and coming back, so that nobody can come back in its place. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Undefined: the provider does not say, or has not checked it. */
  readonly verifiedEmail: string | undefined;
  readonly name: string | undefined;
}

const ANSWER_TIMEOUT_SECONDS = 10;

/** The library marks it deprecated so that nobody uses it by oversight; the setting allows it for loopback alone. */
const withoutTls: (provider: openid.Configuration) => void = Reflect.get(openid, 'allowInsecureRequests');

/** The provider of the settings: authorization code with PKCE, state and nonce. Its address is found by discovery, when it is first needed. */
@Injectable()
export class OpenIdProvider {
  private discovered: Promise<openid.Configuration> | undefined;

  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {}

  /** Where to send the browser. @throws FerryError `route_not_found` when there is no provider, `overloaded` when it does not answer */
  async begin(): Promise<{ readonly attempt: OidcAttempt; readonly url: string }> {
    const provider = await this.provider();
    const attempt = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    };
    const url = openid.buildAuthorizationUrl(provider, {
      redirect_uri: this.callback,
      scope: 'openid email profile',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { attempt, url: url.href };
  }

  /** @param query of the request that the provider sent the browser back with @throws FerryError `sign_in_refused` */
  async finish(attempt: OidcAttempt, query: string): Promise<OidcPerson> {
    const provider = await this.provider();
    try {
      const tokens = await openid.authorizationCodeGrant(provider, new URL(`${this.callback}?${query}`), {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('the answer has no ID token');
      // Many providers tell the e-mail address only here.
      const told = { ...claims, ...(await openid.fetchUserInfo(provider, tokens.access_token, claims.sub)) };
      return {
        issuer: claims.iss,
        subject: claims.sub,
        verifiedEmail:
          told.email_verified === true && typeof told.email === 'string' ? normalEmail(told.email) : undefined,
        name: typeof told.name === 'string' ? told.name : undefined,
      };
    } catch (cause) {
      throw new FerryError('sign_in_refused', undefined, { cause });
    }
  }

  private get callback(): string {
    return `${this.config.baseUrl}/api/oidc/callback`;
  }

  private async provider(): Promise<openid.Configuration> {
    const { oidcIssuer, oidcClientId, oidcClientSecret } = this.config.settings;
    if (oidcIssuer === undefined || oidcClientId === undefined) throw new FerryError('route_not_found');
    const insecure = oidcIssuer.startsWith('http:');
    this.discovered ??= openid.discovery(new URL(oidcIssuer), oidcClientId, oidcClientSecret, undefined, {
      timeout: ANSWER_TIMEOUT_SECONDS,
      execute: insecure ? [withoutTls] : [],
    });
    try {
      return await this.discovered;
    } catch (cause) {
      // It may be back the next time.
      this.discovered = undefined;
      throw new FerryError('overloaded', 'The OpenID provider does not answer.', { cause });
    }
  }
}
