import { isoTime } from '../../kernel/iso-time.js';
import { printable } from '../../kernel/printable.js';
import type { FinishedRequest } from './finished-request.js';
import type { MeteredTokens } from './metered-tokens.js';

/** A row of the request log, with the names of the columns. Metadata only: nothing of the prompt or the response. */
export interface UsageRow {
  readonly account_id: string;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly started_at: string;
  readonly key_id: string;
  readonly node_id: string | null;
  readonly cluster_id: string | null;
  readonly model: string | null;
  readonly model_name: string | null;
  readonly requested_model: string | null;
  readonly dialect: string;
  readonly stream: boolean;
  readonly outcome: string;
  readonly code: string | null;
  readonly message: string | null;
  readonly attempts: number;
  readonly retried: boolean;
  readonly input_tokens: number;
  readonly cached_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  readonly source: string | null;
  readonly queue_ms: number;
  readonly ttft_ms: number | null;
  readonly duration_ms: number;
}

/** Nodes are not trusted: a figure that does not fit its column must not fail the batch. */
const LARGEST_COUNT = 1_000_000_000;

const count = (value: number): number => Math.min(LARGEST_COUNT, Math.max(0, Math.round(value)));

const REQUESTED_MODEL_CHARACTERS = 200;

/** What nearly all names are: nothing of them has to be removed. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** Texts of clients and engines as one printable line. null: nothing is left. */
function shown(text: string, characters: number): string | null {
  const short = text.slice(0, characters);
  if (PLAIN.test(short)) return short;
  const line = printable(short.replaceAll(/\s+/gu, ' '));
  return line === '' ? null : line;
}

/**
 * @param startedAtMs Unix time
 * @param messageCharacters of an error; 0: none is kept
 */
export const usageRow = (
  request: FinishedRequest,
  tokens: MeteredTokens,
  startedAtMs: number,
  messageCharacters: number,
): UsageRow => ({
  account_id: request.accountId,
  id: request.requestId,
  started_at: isoTime(startedAtMs),
  key_id: request.keyPublicId,
  node_id: request.nodeId,
  cluster_id: request.clusterId,
  model: request.selector,
  model_name: request.modelName,
  requested_model: shown(request.model, REQUESTED_MODEL_CHARACTERS),
  dialect: request.dialect,
  stream: request.stream,
  outcome: request.outcome,
  code: request.code,
  message: request.message === null ? null : shown(request.message, messageCharacters),
  attempts: count(request.attempts),
  retried: request.retried,
  input_tokens: count(tokens.input),
  cached_tokens: count(tokens.cached),
  output_tokens: count(tokens.output),
  reasoning_tokens: count(tokens.reasoning),
  source: tokens.source,
  queue_ms: count(request.queuedMs),
  ttft_ms: request.stream && request.firstEventMs !== null ? count(request.firstEventMs) : null,
  duration_ms: count(request.totalMs),
});
