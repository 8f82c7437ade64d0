import { protocols } from '../../dialects/protocols.js';
import type { UsageReport } from '../../link/messages.js';
import type { FinishedRequest } from './finished-request.js';

/** The origin of the figures: reported by the engine, counted by the node, estimated by the relay; null: no engine ran the request. */
export type TokenSource = UsageReport['source'] | null;

export interface MeteredTokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
  readonly source: TokenSource;
}

const WHOLE_ENVELOPE_BYTES = 350;
const BYTES_PER_TOKEN = 4;

const nothing: MeteredTokens = { input: 0, cached: 0, output: 0, reasoning: 0, source: null };

/** The node's figures, or an estimate from the bytes of the response. */
export function meteredTokens(request: FinishedRequest, usage: UsageReport | null): MeteredTokens {
  if (usage !== null) {
    return {
      input: usage.input_tokens,
      cached: usage.cached_tokens ?? 0,
      output: usage.output_tokens,
      reasoning: usage.reasoning_tokens ?? 0,
      source: usage.source,
    };
  }
  // A refusal is free (docs/reference/request-lifecycle.md#dispatch-and-failover): no engine has computed anything.
  if (request.nodeId === null || request.outcome === 'rejected') return nothing;
  return { ...nothing, output: estimatedOutput(request), source: 'estimated' };
}

function estimatedOutput({ dialect, stream, responseBytes }: FinishedRequest): number {
  const { estimate } = protocols[dialect];
  if (estimate === null) return 0;
  const { preambleBytes, eventBytes } = estimate;
  const tokens = stream
    ? (responseBytes - preambleBytes) / eventBytes
    : (responseBytes - WHOLE_ENVELOPE_BYTES) / BYTES_PER_TOKEN;
  return Math.max(0, Math.round(tokens));
}
