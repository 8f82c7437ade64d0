import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { RELAY_CONFIG, type RelayConfig } from '../config/relay-config.js';
import { ClientOrigins } from '../http/client-origin.js';
import { cookieValues } from '../http/header-values.js';
import { cameOverLoopback, isLoopbackHost } from '../http/loopback.js';

const SECURE_NAME = '__Host-ferry_session';
/** The prefix above needs TLS, which a relay on the own computer does not have. */
const LOOPBACK_NAME = 'ferry_session_dev';

interface CookieKind {
  readonly name: string;
  readonly secure: boolean;
}

/** The session cookie (docs/reference/security.md#people): `HttpOnly`, `SameSite`, and for this host only. */
@Injectable()
export class SessionCookie {
  constructor(
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
    private readonly origins: ClientOrigins,
  ) {}

  /** The value in the request. @throws FerryError `invalid_request` for two values, because the choice would be arbitrary */
  read(request: IncomingMessage): string | undefined {
    const kind = this.kind(request);
    if (kind === undefined) return undefined;
    const values = cookieValues(request, kind.name);
    if (values.length > 1) throw new FerryError('invalid_request', 'The request has two session cookies.');
    return values[0];
  }

  write(response: ServerResponse, text: string): void {
    const kind = this.kind(response.req);
    if (kind === undefined) throw noCookiesHere();
    this.set(response, kind, text, Math.floor(this.config.settings.sessionLifetimeMs / 1_000));
  }

  clear(response: ServerResponse): void {
    const kind = this.kind(response.req);
    if (kind !== undefined) this.set(response, kind, '', 0);
  }

  /** Whether the browser that sent this request can be signed in. */
  isPossible(request: IncomingMessage): boolean {
    return this.kind(request) !== undefined;
  }

  /** To be called before a sign-in changes anything. @throws FerryError `invalid_request` when the browser would not store the cookie */
  requirePossible(request: IncomingMessage): void {
    if (!this.isPossible(request)) throw noCookiesHere();
  }

  private set(response: ServerResponse, { name, secure }: CookieKind, value: string, maxAgeSeconds: number): void {
    const attributes = [`${name}=${value}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
    response.appendHeader('set-cookie', [...attributes, ...(secure ? ['Secure'] : [])].join('; '));
  }

  /** Undefined without TLS on a network, where a cookie could be read. */
  private kind(request: IncomingMessage): CookieKind | undefined {
    if (this.config.baseUrl.startsWith('https:') || this.origins.cameOverTls(request))
      return { name: SECURE_NAME, secure: true };
    // A relay that listens on every address still has browsers on its own computer.
    const loopback = isLoopbackHost(this.config.settings.host) || cameOverLoopback(request);
    return loopback ? { name: LOOPBACK_NAME, secure: false } : undefined;
  }
}

const noCookiesHere = (): FerryError =>
  new FerryError(
    'invalid_request',
    'Signing in with a browser requires TLS: put a proxy in front and set FERRY_BASE_URL to its https address. `ferry login` works without.',
  );
