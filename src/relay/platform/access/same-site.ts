import type { IncomingMessage } from 'node:http';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { headerValues } from '../http/header-values.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * What a browser sends along by itself must not be enough to change something (docs/reference/security.md#people): the request has to
 * come from a page of ours, and as JSON, which no form can send.
 * @throws FerryError `cross_site_request`, `unsupported_content_type`
 */
export function requireSameSite(request: IncomingMessage, baseUrl: string): void {
  if (SAFE_METHODS.has(request.method ?? '')) return;
  if (comesFrom(request, baseUrl) !== 'us') throw new FerryError('cross_site_request');
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw new FerryError('unsupported_content_type');
}

/** For routes that hand a session out, where programs come without a browser: another site must not sign its visitors in as somebody else. */
export function refuseOtherSites(request: IncomingMessage, baseUrl: string): void {
  if (comesFrom(request, baseUrl) === 'another site') throw new FerryError('cross_site_request');
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw new FerryError('unsupported_content_type');
}

/** Every browser of today says where a request comes from; the oldest say it by `Origin` alone. */
function comesFrom(request: IncomingMessage, baseUrl: string): 'us' | 'another site' | 'no browser' {
  const sites = headerValues(request, 'sec-fetch-site');
  if (sites.length > 0) return sites.every((site) => site === 'same-origin' || site === 'none') ? 'us' : 'another site';
  const origins = headerValues(request, 'origin');
  if (origins.length === 0) return 'no browser';
  return origins.every((origin) => origin === new URL(baseUrl).origin) ? 'us' : 'another site';
}
