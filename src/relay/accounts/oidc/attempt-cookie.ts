import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { OidcAttempt } from './openid-provider.js';
import { cookieValues } from '../../platform/http/header-values.js';

const NAME = 'ferry_oidc';
const LIFETIME_SECONDS = 600;

const schema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), until: z.number() });

/** `Set-Cookie` that carries the attempt to the callback; its path keeps it from every other route. */
export function attemptCookie(attempt: OidcAttempt, secret: string, secure: boolean, nowMs: number): string {
  const until = nowMs + LIFETIME_SECONDS * 1_000;
  const payload = Buffer.from(JSON.stringify({ ...attempt, until })).toString('base64url');
  const attributes = [`Max-Age=${LIFETIME_SECONDS}`, 'Path=/api/oidc', 'HttpOnly', 'SameSite=Lax'];
  return [`${NAME}=${payload}.${signature(payload, secret)}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}

export const CLEARED_ATTEMPT = `${NAME}=; Max-Age=0; Path=/api/oidc; HttpOnly; SameSite=Lax`;

/** Undefined when the cookie is missing, expired or not signed by this relay. */
export function attemptOf(request: IncomingMessage, secret: string, nowMs: number): OidcAttempt | undefined {
  const [value] = cookieValues(request, NAME);
  const [payload = '', given = ''] = value?.split('.', 2) ?? [];
  const [expected, actual] = [Buffer.from(signature(payload, secret)), Buffer.from(given)];
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
  const attempt = schema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  return attempt.success && attempt.data.until > nowMs ? attempt.data : undefined;
}

const signature = (payload: string, secret: string): string =>
  createHmac('sha256', secret).update(`ferry/oidc-attempt/v1\0${payload}`).digest('base64url');
