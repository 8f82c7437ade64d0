import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { OidcAttempt } from './openid-provider.js';
import { headerValues } from '../../platform/http/header-values.js';

const NAME = 'ferry_oidc';
const LIFETIME_SECONDS = 600;

const schema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), until: z.number() });

/** `Set-Cookie` for the way to the provider and back; only the callback gets to see it. */
export function attemptCookie(attempt: OidcAttempt, secret: string, secure: boolean, nowMs: number): string {
  const until = nowMs + LIFETIME_SECONDS * 1_000;
  const payload = Buffer.from(JSON.stringify({ ...attempt, until })).toString('base64url');
  const attributes = [`Max-Age=${LIFETIME_SECONDS}`, 'Path=/api/oidc', 'HttpOnly', 'SameSite=Lax'];
  return [`${NAME}=${payload}.${seal(payload, secret)}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}

export const CLEARED_ATTEMPT = `${NAME}=; Max-Age=0; Path=/api/oidc; HttpOnly; SameSite=Lax`;

/** Undefined when there is none that this relay made for this browser within ten minutes. */
export function attemptOf(request: IncomingMessage, secret: string, nowMs: number): OidcAttempt | undefined {
  const value = headerValues(request, 'cookie')
    .flatMap((line) => line.split(';'))
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1);
  const [payload = '', given = ''] = value?.split('.', 2) ?? [];
  const [expected, actual] = [Buffer.from(seal(payload, secret)), Buffer.from(given)];
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
  const attempt = schema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  return attempt.success && attempt.data.until > nowMs ? attempt.data : undefined;
}

const seal = (payload: string, secret: string): string =>
  createHmac('sha256', secret).update(`ferry/oidc-attempt/v1\0${payload}`).digest('base64url');
