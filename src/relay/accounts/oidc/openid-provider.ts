import { Inject, Injectable } from '@nestjs/common';
import type * as openid from 'openid-client';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { normalEmail } from '../users/email.js';

/** Kept in the browser until the callback, which ties the callback to the browser that started. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Undefined when the provider sends none or has not verified it. */
  readonly verifiedEmail: string | undefined;
  readonly name: string | undefined;
}

const RESPONSE_TIMEOUT_SECONDS = 10;

/** Loaded by the first sign-in: most relays have no provider. */
const library = () => import('openid-client');

/** Marked deprecated by the library to prevent accidental use; the setting allows plain HTTP for loopback only. */
const withoutTls = (client: typeof openid): ((provider: openid.Configuration) => void) =>
  Reflect.get(client, 'allowInsecureRequests');

/** The configured provider: authorization code flow with PKCE, state and nonce. Discovery runs on first use. */
@Injectable()
export class OpenIdProvider {
  private discovered: Promise<openid.Configuration> | undefined;

  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {}

  /** Starts an attempt. @throws FerryError `route_not_found` when no provider is configured, `overloaded` when it does not answer */
  async begin(): Promise<{ readonly attempt: OidcAttempt; readonly url: string }> {
    const provider = await this.provider();
    const client = await library();
    const attempt = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(provider, {
      redirect_uri: this.callback,
      scope: 'openid email profile',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { attempt, url: url.href };
  }

  /** @param query of the callback request @throws FerryError `sign_in_refused` */
  async finish(attempt: OidcAttempt, query: string): Promise<OidcPerson> {
    const provider = await this.provider();
    const client = await library();
    try {
      const tokens = await client.authorizationCodeGrant(provider, new URL(`${this.callback}?${query}`), {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('the response has no ID token');
      // Many providers return the e-mail address only here.
      const profile = { ...claims, ...(await client.fetchUserInfo(provider, tokens.access_token, claims.sub)) };
      return {
        issuer: claims.iss,
        subject: claims.sub,
        verifiedEmail:
          isVerified(profile.email_verified) && typeof profile.email === 'string'
            ? normalEmail(profile.email)
            : undefined,
        name: typeof profile.name === 'string' ? profile.name : undefined,
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
    this.discovered ??= library().then((client) =>
      client.discovery(new URL(oidcIssuer), oidcClientId, oidcClientSecret, undefined, {
        timeout: RESPONSE_TIMEOUT_SECONDS,
        execute: insecure ? [withoutTls(client)] : [],
      }),
    );
    try {
      return await this.discovered;
    } catch (cause) {
      // The next attempt tries discovery again.
      this.discovered = undefined;
      throw new FerryError('overloaded', 'The OpenID provider does not answer.', { cause });
    }
  }
}

/** Some providers send the word instead of the JSON value. */
const isVerified = (claim: unknown): boolean => claim === true || claim === 'true';
