import type { ServerResponse } from 'node:http';
import { BURST_SECONDS, burstOf, type RateState } from './keyed-rate.js';
import type { LimitKind, LimitSubjectKind } from './limit-subject.js';
import type { Allowance } from './rate-meter.js';

export type NamedAllowance = Allowance & { readonly subject: LimitSubjectKind; readonly kind: LimitKind };

const WINDOW_SECONDS = 60;

/**
 * The headers of inference responses: `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11) of all limits that
 * apply, and OpenAI's `x-ratelimit-*` with the tightest of each kind, which SDKs read.
 */
export function limitHeaders(allowances: readonly NamedAllowance[]): Record<string, string> {
  if (allowances.length === 0) return {};
  return {
    'ratelimit-policy': allowances.map(policyOf).join(', '),
    ratelimit: allowances.map(stateOf).join(', '),
    ...openAiHeaders('requests', allowances),
    ...openAiHeaders('tokens', allowances),
  };
}

const nameOf = ({ subject, kind }: NamedAllowance): string => `"${subject}-${kind}"`;

const policyOf = (allowance: NamedAllowance): string =>
  allowance.kind === 'concurrency'
    ? `${nameOf(allowance)};q=${allowance.limit};qu="concurrent-requests"`
    : `${nameOf(allowance)};q=${allowance.limit};w=${WINDOW_SECONDS}`;

const stateOf = (allowance: NamedAllowance): string =>
  allowance.kind === 'concurrency'
    ? `${nameOf(allowance)};r=${allowance.remaining}`
    : `${nameOf(allowance)};r=${allowance.remaining};t=${seconds(allowance.resetMs)}`;

function openAiHeaders(kind: 'requests' | 'tokens', allowances: readonly NamedAllowance[]): Record<string, string> {
  const [first, ...others] = allowances.filter((allowance) => allowance.kind === kind);
  if (first === undefined) return {};
  const tightest = others.reduce((least, next) => (next.remaining < least.remaining ? next : least), first);
  return {
    [`x-ratelimit-limit-${kind}`]: String(tightest.limit),
    [`x-ratelimit-remaining-${kind}`]: String(tightest.remaining),
    [`x-ratelimit-reset-${kind}`]: `${seconds(tightest.resetMs)}s`,
  };
}

/** The headers of management responses, with the burst as the quota. Policies that are already on the response stay. */
export function appendRateHeaders(res: ServerResponse, states: readonly RateState[]): void {
  for (const { policy, remaining, resetMs } of states) {
    res.appendHeader('RateLimit-Policy', `"${policy.name}";q=${burstOf(policy)};w=${BURST_SECONDS}`);
    res.appendHeader('RateLimit', `"${policy.name}";r=${remaining};t=${seconds(resetMs)}`);
  }
}

const seconds = (ms: number): number => Math.ceil(ms / 1_000);
