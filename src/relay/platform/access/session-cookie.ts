import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { RELAY_CONFIG, type RelayConfig } from '../config/relay-config.js';
import { cookieValues } from '../http/header-values.js';
import { cameOverLoopback, isLoopbackHost } from '../http/loopback.js';

const SECURE_NAME = '__Host-ferry_session';
/** The prefix above needs TLS, which a quickstart on one's own machine does not have. */
const LOOPBACK_NAME = 'ferry_session_dev';

interface CookieKind {
  readonly name: string;
  readonly secure: boolean;
}

/** The session in the browser (docs/reference/security.md#people): not for scripts, not for other sites, for this host alone. */
@Injectable()
export class SessionCookie {
  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {}

  /** The value the request came with. @throws FerryError `invalid_request` when there are two: which one counts would be up to chance */
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

  /** Before anything is changed for somebody who could not get their cookie. @throws FerryError `invalid_request` */
  requirePossible(request: IncomingMessage): void {
    if (!this.isPossible(request)) throw noCookiesHere();
  }

  private set(response: ServerResponse, { name, secure }: CookieKind, value: string, maxAgeSeconds: number): void {
    const attributes = [`${name}=${value}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
    response.appendHeader('set-cookie', [...attributes, ...(secure ? ['Secure'] : [])].join('; '));
  }

  /** Undefined: a browser reaches this relay without TLS over a network, where a cookie would be anybody's. */
  private kind(request: IncomingMessage): CookieKind | undefined {
    if (this.config.baseUrl.startsWith('https:')) return { name: SECURE_NAME, secure: true };
    // A relay that listens on every address still has browsers on its own computer.
    const loopback = isLoopbackHost(this.config.settings.host) || cameOverLoopback(request);
    return loopback ? { name: LOOPBACK_NAME, secure: false } : undefined;
  }
}

const noCookiesHere = (): FerryError =>
  new FerryError(
    'invalid_request',
    'Signing in with a browser needs TLS: put a proxy in front and set FERRY_BASE_URL to its https address. `ferry login` works without.',
  );
