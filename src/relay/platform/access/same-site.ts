import type { IncomingMessage } from 'node:http';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { headerValues } from '../http/header-values.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * CSRF protection: a cookie alone must not change anything (docs/reference/security.md#people). The request has to come from a page of
 * the relay, and as JSON, which a form cannot send.
 * @throws FerryError `cross_site_request`, `unsupported_content_type`
 */
export function requireSameSite(request: IncomingMessage, baseUrl: string): void {
  if (SAFE_METHODS.has(request.method ?? '')) return;
  if (comesFrom(request, baseUrl) !== 'us') throw new FerryError('cross_site_request');
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw new FerryError('unsupported_content_type');
}

/** For routes that create a session and that programs use, too: another site must not sign its visitors in to a foreign account. */
export function refuseOtherSites(request: IncomingMessage, baseUrl: string): void {
  if (comesFrom(request, baseUrl) === 'another site') throw new FerryError('cross_site_request');
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw new FerryError('unsupported_content_type');
}

/** Current browsers send `Sec-Fetch-Site`; old ones only `Origin`. */
function comesFrom(request: IncomingMessage, baseUrl: string): 'us' | 'another site' | 'no browser' {
  const sites = headerValues(request, 'sec-fetch-site');
  if (sites.length > 0) return sites.every((site) => site === 'same-origin' || site === 'none') ? 'us' : 'another site';
  const origins = headerValues(request, 'origin');
  if (origins.length === 0) return 'no browser';
  return origins.every((origin) => origin === new URL(baseUrl).origin) ? 'us' : 'another site';
}
