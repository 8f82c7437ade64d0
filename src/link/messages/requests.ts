/** OPEN, REJECT, HEAD, END, RESET: one request on a stream. */
import { z } from 'zod';
import { allDialects } from '../../kernel/dialect.js';
import { MAX_TRACESTATE_CHARACTERS } from '../../kernel/tracing/trace-headers.js';
import { count, longText, milliseconds, shortText } from './fields.js';

/** Header names of the client's request that may reach a node (docs/reference/security.md#headers). */
export const forwardedHeaders = ['anthropic-version', 'anthropic-beta', 'openai-beta'] as const;

export const MAX_PUBLIC_MODEL_CHARACTERS = 600;
export const MAX_FORWARDED_HEADER_CHARACTERS = 2_000;

export const openMessage = z.object({
  request_id: shortText,
  dialect: z.enum(allDialects),
  /** `ModelReport.key` of the model to run. The agent refuses with `not_loaded` when it is not resident right now. */
  model_key: z.string().min(1).max(600),
  /** The name that the client sent; responses carry this name, never an engine path. */
  public_model: z.string().min(1).max(MAX_PUBLIC_MODEL_CHARACTERS),
  stream: z.boolean(),
  /** Remaining milliseconds, so that no two clocks are ever compared. */
  deadline_ms: milliseconds,
  body_bytes: count,
  /** Opaque per-account scope of conversation state on the node. */
  scope: shortText,
  /**
   * The name that the response must carry: it leads a continuation back to this node. On `responses`, and on `messages` with a thread. Absent
   * otherwise.
   */
  response_id: shortText.nullish(),
  /**
   * On a stream of `responses`: remaining milliseconds until the engine must have produced output. The node ends the request then, because
   * its keep-alive events hide from the relay that the engine is silent. Absent: `deadline_ms` alone counts.
   */
  first_output_ms: milliseconds.nullish(),
  headers: z.partialRecord(z.enum(forwardedHeaders), z.string().max(MAX_FORWARDED_HEADER_CHARACTERS)),
  /** W3C trace context of this attempt, where the request is part of a trace. */
  traceparent: shortText.nullable(),
  /** It is present only with `traceparent`. */
  tracestate: z.string().max(MAX_TRACESTATE_CHARACTERS).optional(),
  /** Sent between two replicas only: the node that the request is for. A node gets neither this nor `hop`. */
  node_id: shortText.optional(),
  /** With `node_id`: replicas that have passed the request on. It is never passed on again. */
  hop: z.literal(1).optional(),
});
export type OpenMessage = z.output<typeof openMessage>;

/** `stale`: only between two replicas. The node is not usable there any more; another replica may have it. */
export const rejectReasons = ['not_loaded', 'busy', 'draining', 'unsupported', 'stale'] as const;
/** No work was done: the relay may choose another node for free. */
export const rejectMessage = z.object({ reason: z.enum(rejectReasons), message: longText.nullable() });
export type RejectMessage = z.output<typeof rejectMessage>;
export type RejectReason = RejectMessage['reason'];

/** Names of request fields, as paths. */
const fieldNames = z.array(shortText).max(64);

export const headMessage = z.object({
  status: z.literal(200),
  content_type: z.enum(['application/json', 'text/event-stream']),
  /** Bytes of the whole body, for JSON, which the agent sends only when it is complete; null for a stream. */
  content_length: count.nullable(),
  /**
   * Whether the engine speaks the client's dialect itself, and which request fields a translation had to leave out. Known before the
   * first output, so that it can become a response header also of a stream. Absent: the agent does not say.
   */
  translation: z
    .object({
      native: z.boolean(),
      dropped: fieldNames,
      /** Fields that the model gets in another form than the client wrote. Absent: none. */
      changed: fieldNames.optional(),
    })
    .nullish(),
  /** True: what follows are keep-alive events, the engine has produced nothing yet. Absent: HEAD comes with the first output. */
  awaiting_output: z.boolean().optional(),
});
export type HeadMessage = z.output<typeof headMessage>;

export const usageReport = z.object({
  input_tokens: count,
  output_tokens: count,
  cached_tokens: count.nullable(),
  reasoning_tokens: count.nullable(),
  source: z.enum(['engine', 'counted', 'estimated']),
});
export type UsageReport = z.output<typeof usageReport>;

/** The prompt, or prompt and answer together, do not fit into the context of the model: what is known of the sizes, in tokens. */
export const contextOverflow = z.object({
  /** null: neither the engine nor the node has counted. */
  prompt_tokens: count.nullable(),
  /** The output limit that the client requested, where only that makes it too long. null: the prompt alone does not fit. */
  max_tokens: count.nullable(),
  /** The context of the model on this node. null: not known. */
  context_tokens: count.nullable(),
});
export type ContextOverflow = z.output<typeof contextOverflow>;

/**
 * How the node failed. `status` keeps the class of an engine's own 4xx (docs/reference/api-behaviour.md#error-bodies: 400, 404, 413,
 * 429).
 */
export const nodeFailure = z.object({
  code: z.enum([
    'engine_error',
    'engine_timeout',
    'engine_rejected_request',
    'unsupported_capability',
    'unsupported_parameter',
    'invalid_request',
    'previous_response_not_found',
  ]),
  status: z.number().int().min(400).max(599).nullable(),
  message: longText,
  param: shortText.nullable(),
  /**
   * With `invalid_request` on messages: why the thread cannot be continued. A field of its own, because an older replica between the two
   * accepts no code that it does not know. Absent: another reason.
   */
  thread: z.enum(['not_found', 'already_continued', 'continue_in_flight']).nullish(),
  /** The engine's own code of its refusal. Absent: it gave none. */
  engine_code: shortText.nullish(),
  /**
   * The engine refused the request before it computed anything, and may take it later: `busy`, or its model is still on the way into memory.
   * The relay may ask another node. Absent: another reason.
   */
  unavailable: z.enum(['busy', 'loading']).nullish(),
  retry_after_seconds: count.max(3_600).nullable(),
  /**
   * With `engine_rejected_request`: the request is too long for this node. Nothing was computed, so that the relay may ask a node with
   * more room. Absent: another reason.
   */
  context_overflow: contextOverflow.nullish(),
});
export type NodeFailure = z.output<typeof nodeFailure>;

export const endMessage = z.object({
  outcome: z.enum(['completed', 'failed', 'cancelled']),
  failure: nodeFailure.nullable(),
  usage: usageReport.nullable(),
  timings: z.object({ first_event_ms: milliseconds.nullable(), total_ms: milliseconds }),
  /** Request fields that a translation between dialects had to leave out. */
  dropped: fieldNames,
});
export type EndMessage = z.output<typeof endMessage>;

export const resetReasons = [
  'cancelled',
  'timed_out',
  'failed_over',
  'unknown_stream',
  'superseded',
  'revoked',
  'draining',
  'window_overrun',
  'internal',
] as const;
export const resetMessage = z.object({ reason: z.enum(resetReasons) });
export type ResetMessage = z.output<typeof resetMessage>;
export type ResetReason = ResetMessage['reason'];
