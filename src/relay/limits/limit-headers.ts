import type { Allowance } from './rate-meter.js';
import type { LimitKind, PartyKind } from './limited-party.js';

export type NamedAllowance = Allowance & { readonly party: PartyKind; readonly kind: LimitKind };

const WINDOW_SECONDS = 60;

/**
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11) of all limits that hold, and for the habit of SDKs the
 * `x-ratelimit-*` of OpenAI with the tightest of each kind.
 */
export function limitHeaders(allowances: readonly NamedAllowance[]): Record<string, string> {
  if (allowances.length === 0) return {};
  return {
    'ratelimit-policy': allowances.map(policy).join(', '),
    ratelimit: allowances.map(state).join(', '),
    ...habitual('requests', allowances),
    ...habitual('tokens', allowances),
  };
}

const nameOf = ({ party, kind }: NamedAllowance): string => `"${party}-${kind}"`;

const policy = (allowance: NamedAllowance): string =>
  allowance.kind === 'concurrency'
    ? `${nameOf(allowance)};q=${allowance.limit};qu="concurrent-requests"`
    : `${nameOf(allowance)};q=${allowance.limit};w=${WINDOW_SECONDS}`;

const state = (allowance: NamedAllowance): string =>
  allowance.kind === 'concurrency'
    ? `${nameOf(allowance)};r=${allowance.remaining}`
    : `${nameOf(allowance)};r=${allowance.remaining};t=${seconds(allowance.resetMs)}`;

function habitual(kind: 'requests' | 'tokens', allowances: readonly NamedAllowance[]): Record<string, string> {
  const [first, ...others] = allowances.filter((allowance) => allowance.kind === kind);
  if (first === undefined) return {};
  const tightest = others.reduce((least, next) => (next.remaining < least.remaining ? next : least), first);
  return {
    [`x-ratelimit-limit-${kind}`]: String(tightest.limit),
    [`x-ratelimit-remaining-${kind}`]: String(tightest.remaining),
    [`x-ratelimit-reset-${kind}`]: `${seconds(tightest.resetMs)}s`,
  };
}

const seconds = (ms: number): number => Math.ceil(ms / 1_000);
