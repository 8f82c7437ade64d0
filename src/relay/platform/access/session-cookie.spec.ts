import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { RelayConfig } from '../config/relay-config.js';
import { ClientOrigins } from '../http/client-origin.js';
import { SessionCookie } from './session-cookie.js';

const PROXY = '10.0.0.1';

const cookieOf = (baseUrl: string): SessionCookie => {
  const config = { baseUrl, settings: { host: '0.0.0.0', trustedProxies: PROXY, sessionLifetimeMs: 60_000 } };
  return new SessionCookie(config as RelayConfig, new ClientOrigins(config as RelayConfig));
};

/** @returns `Set-Cookie` of a sign-in, or why there is none */
const written = (baseUrl: string, remoteAddress: string, scheme?: string): string => {
  const set: string[] = [];
  const request = {
    socket: { remoteAddress },
    headers: { host: 'relay.test' },
    rawHeaders: scheme === undefined ? [] : ['X-Forwarded-Proto', scheme],
  };
  const response = { req: request, appendHeader: (_name: string, value: string) => set.push(value) };
  try {
    cookieOf(baseUrl).write(response as unknown as ServerResponse, 'value');
  } catch (error) {
    return String(error);
  }
  expect(cookieOf(baseUrl).isPossible(request as unknown as IncomingMessage)).toBe(true);
  return set.join();
};

describe('the session cookie', () => {
  const secure = '__Host-ferry_session=value; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure';

  it('the session cookie is Secure where the base URL is https', () => {
    expect(written('https://relay.test', '203.0.113.7')).toBe(secure);
  });

  it('the session cookie is Secure behind a trusted proxy that ends TLS, whatever the base URL is', () => {
    expect(written('http://relay.test', PROXY, 'https')).toBe(secure);
    expect(written('http://127.0.0.1:8787', PROXY, 'https')).toBe(secure);
  });

  it('the session cookie is not set without TLS, also where a client says that there was some', () => {
    expect(written('http://relay.test', PROXY, 'http')).toContain('requires TLS');
    expect(written('http://relay.test', '203.0.113.7', 'https')).toContain('requires TLS');
  });
});
