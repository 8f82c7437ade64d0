/**
 * The JSON payloads of control frames (docs/reference/link.md#messages). The other side is hostile until proven otherwise: every text and
 * list is bounded, unknown keys are dropped (a newer peer may send more), anything malformed closes the link with 1002. WINDOW is a bare
 * u32 and BODY, DATA and DATA_MORE are raw bytes: they are the hot path.
 */
import { z } from 'zod';
import { allDialects, dialects, inputKinds, modelStates } from '../kernel/dialect.js';
import { MAX_TRACESTATE_CHARACTERS } from '../kernel/tracing/trace-headers.js';

const shortText = z.string().max(200);
const longText = z.string().max(4_000);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const milliseconds = count;
const MAX_STREAMS = 1_024;
/** Nothing is announced so far: a later version may add to the core of version 1 (docs/internals/link-protocol.md#6-versions). */
const features = z.array(shortText).max(64);
const windowBytes = z
  .number()
  .int()
  .min(1)
  .max(16 * 1024 * 1024);

/** Upper bound of the links of one agent process to different replicas. */
export const MAX_LINKS = 8;
const linkAddress = z.string().min(1).max(500);

/** Replicas of the relay that accept nodes, and where nodes reach them one by one. */
export const replicasMessage = z.object({
  live: count.max(10_000),
  /** Empty: the public address is the only one. May be fewer than `live`. */
  link_addresses: z.array(linkAddress).max(64),
});
export type ReplicasMessage = z.output<typeof replicasMessage>;

/** The replica at the other end of a link. */
const replicaFacts = z.object({
  /** New at every start of the replica. */
  id: z.string().regex(/^rep_[0-9a-f]{32}$/),
  /** The entry of this replica in `link_addresses`; null: none is configured. */
  link_address: linkAddress.nullable(),
  /** Links that one node may keep, each to another replica. */
  max_links: z.number().int().min(1).max(MAX_LINKS),
});

export const engineFact = z.object({
  /** Unique on the node, e.g. `llamacpp` or `openai@127.0.0.1:8080`. */
  name: shortText,
  kind: shortText,
  version: shortText.nullable(),
});
export type EngineFact = z.output<typeof engineFact>;

export const supervisors = ['systemd', 'launchd'] as const;
export type Supervisor = (typeof supervisors)[number];

export const helloMessage = z.object({
  protocol_versions: z.array(count).min(1).max(16),
  agent_version: shortText,
  /**
   * Random per agent process: tells make-before-break (same process) from two machines with one identity
   * (docs/reference/link.md#superseding).
   */
  process_id: shortText,
  node_name: shortText,
  platform: shortText,
  engines: z.array(engineFact).max(64),
  /** What starts the agent again by itself. A later one is taken for none. Absent: none that is known. */
  supervisor: z.enum(supervisors).optional().catch(undefined),
  features,
});
export type HelloMessage = z.output<typeof helloMessage>;

export const readyMessage = z.object({
  protocol_version: z.literal(1),
  relay_version: shortText,
  epoch: count,
  relay_time_ms: milliseconds,
  limits: z.object({
    /** At most what one STREAMS message can list. */
    max_streams: z.number().int().min(1).max(MAX_STREAMS),
    /** Credit a stream starts with, per direction. */
    to_node_window_bytes: windowBytes,
    to_relay_window_bytes: windowBytes,
    /** Outstanding unread bytes towards the relay over all streams of the link. */
    max_outstanding_bytes: count.min(1),
  }),
  features,
  /** The account's present name for the node. */
  node_name: shortText,
  replica: replicaFacts,
  /** REPLICAS follows when it changes. */
  replicas: replicasMessage,
});
export type ReadyMessage = z.output<typeof readyMessage>;

export const modelReport = z.object({
  /** Names the model on this node: `<engine name>/<engine's own model key>`. */
  key: z.string().min(1).max(600),
  engine: shortText,
  engine_model: z.string().min(1).max(400),
  display_name: z.string().min(1).max(200),
  canonical_name: z.string().min(1).max(200),
  digest: shortText.nullable(),
  quantization: shortText.nullable(),
  size_bytes: count.nullable(),
  context_length: count.nullable(),
  state: z.enum(modelStates),
  dialects: z.array(z.enum(dialects)).max(dialects.length),
  /** Requests beyond the contract that the node serves for the model. Absent: none. A newer node may name others than this version knows. */
  extension_dialects: z.array(shortText).max(16).optional(),
  inputs: z.array(z.enum(inputKinds)).max(inputKinds.length),
  /** Inputs of which the engine does not say whether the model takes them: tried, and learned from a refusal. Absent: none. */
  untried_inputs: z.array(z.enum(inputKinds)).max(inputKinds.length).optional(),
  /** null: the engine does not say. */
  tools: z.boolean().nullable(),
  reasoning: z.boolean().nullable(),
  embedding: z.boolean(),
  /** The node fetches images from public web addresses for this model. Absent: it does not (media are data URIs then). */
  remote_media: z.boolean().optional(),
  /** The engine does not respond now; this is the last reported state of the model. Absent: the engine responds. */
  engine_unreachable: z.boolean().optional(),
  /**
   * What the model takes in memory, measured or estimated: main memory, and memory of graphics processors (nothing where that is main memory).
   * Absent: not known, or not in memory.
   */
  memory: z.object({ ram_bytes: count, vram_bytes: count }).optional(),
  /** The computing device, such as `NVIDIA H200` or `processor`; several are separated by `, `. Absent: as `memory`. */
  device: shortText.optional(),
  /** Layers on a graphics processor; the processor computes the others. Absent: as `memory`. */
  gpu_layers: z.object({ on_gpu: count, total: count }).optional(),
});
export type ModelReport = z.output<typeof modelReport>;

/** A full list first, then deltas; `version` grows by one each time and restarts with a full list. One list may span several frames. */
export const inventoryMessage = z.object({
  version: count,
  full: z.boolean(),
  /** True on every part of a full list but the last: the relay swaps the list in only when it is complete. */
  more: z.boolean(),
  models: z.array(modelReport).max(200),
  removed: z.array(z.string().max(600)).max(1_000),
});
export type InventoryMessage = z.output<typeof inventoryMessage>;

export const gpuBackends = ['vulkan', 'cuda', 'metal'] as const;
export type GpuBackend = (typeof gpuBackends)[number];

export const gpuReport = z.object({
  name: shortText,
  total_bytes: count,
  /** null: its driver does not say. */
  free_bytes: count.nullable(),
  /** The GPU uses the memory of the host, as on Apple silicon. Absent: it has its own. */
  unified: z.boolean().optional(),
  /** How the built-in engine computes on it. Absent: it does not. */
  backend: z.enum(gpuBackends).optional(),
});
export type GpuReport = z.output<typeof gpuReport>;

export const statusMessage = z.object({
  /** All engines of the node right now. Capacity is counted per engine: its models share its slots. */
  engines: z
    .array(
      z.object({
        name: shortText,
        slots_total: count,
        slots_used: count,
        /** Slots among `slots_used` that hold requests of other replicas. Absent: none, or the node has one link. */
        slots_used_elsewhere: count.optional(),
        /** Requests that wait inside the engine. 0 where it does not tell. */
        queue_depth: count,
        /** Requests that the engine runs or queues for others than this node. Absent: it does not tell. */
        foreign_requests: count.optional(),
        /** As in HELLO, which an engine that appears later was not part of. Absent: as HELLO said. */
        kind: shortText.optional(),
        version: shortText.nullish(),
        /** The reason why the engine cannot serve now, such as `cannot be reached`; it completes the engine's name, for people. Absent: it serves. */
        problem: shortText.nullish(),
      }),
    )
    .max(64),
  paused: z.boolean(),
  draining: z.boolean(),
  /** A new process of the host could take this much. */
  memory_free_bytes: count.nullable(),
  /** The host's memory. Absent: not measured yet. */
  memory_total_bytes: count.nullish(),
  /** Absent: as `memory_total_bytes`. Empty: none that is known. */
  gpus: z.array(gpuReport).max(16).nullish(),
});
export type StatusMessage = z.output<typeof statusMessage>;

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

export const operationKinds = ['install', 'load', 'unload', 'remove'] as const;
export type OperationKind = (typeof operationKinds)[number];

/** Each code has a next step for the owner; the accompanying message names it. */
export const operationFailureCodes = [
  'unknown_model',
  'unknown_engine',
  'unsupported',
  'invalid_source',
  'model_busy',
  'disk_full',
  'out_of_memory',
  'network',
  'checksum_mismatch',
  'engine_error',
  'engine_unreachable',
  'too_many_operations',
  'internal',
] as const;
export type OperationFailureCode = (typeof operationFailureCodes)[number];

/** Made by the relay; the same id twice is the same operation, so a COMMAND may be repeated after a reconnect. */
const operationId = z.string().regex(/^op_[0-9a-f]{32}$/);

/**
 * An operation on a model. The node owns it: it continues while the link is down, and a node that knows the id reports its progress
 * instead of starting again.
 */
export const commandMessage = z.discriminatedUnion('verb', [
  z.object({
    verb: z.literal('install'),
    operation_id: operationId,
    /** Engine name on the node; null: the node's first engine that can install from such a source. */
    engine: shortText.nullable(),
    source: z.string().min(1).max(2_000),
    /** Loads the model afterwards, as part of the same operation. Absent: it does not. */
    load: z.boolean().optional(),
  }),
  z.object({
    verb: z.literal('load'),
    operation_id: operationId,
    model_key: z.string().min(1).max(600),
    context_tokens: z.number().int().min(1).max(10_000_000).nullable(),
  }),
  z.object({ verb: z.literal('unload'), operation_id: operationId, model_key: z.string().min(1).max(600) }),
  z.object({ verb: z.literal('remove'), operation_id: operationId, model_key: z.string().min(1).max(600) }),
  /** Stops an operation; its RESULT says `cancelled`, or what it had come to by then. */
  z.object({ verb: z.literal('cancel'), operation_id: operationId }),
]);
export type CommandMessage = z.output<typeof commandMessage>;

/** Sent on change, at most four a second per operation; and once for each live operation after every READY. */
export const progressMessage = z.object({
  operation_id: operationId,
  state: z.enum(['queued', 'running']),
  phase: shortText,
  completed_bytes: count.nullable(),
  total_bytes: count.nullable(),
});
export type ProgressMessage = z.output<typeof progressMessage>;

/** Terminal, and sent again after every READY while the node remembers the operation: the relay takes the first and ignores the rest. */
export const resultMessage = z.object({
  operation_id: operationId,
  outcome: z.enum(['succeeded', 'failed', 'cancelled']),
  failure: z.object({ code: z.enum(operationFailureCodes), message: longText }).nullable(),
  /** The model that it was about, as the inventory names it: after an install, the new one. */
  model_key: z.string().max(600).nullable(),
});
export type ResultMessage = z.output<typeof resultMessage>;

export const streamsMessage = z.object({ streams: z.array(z.number().int().min(1).max(0xffffffff)).max(MAX_STREAMS) });

export const goAwayMessage = z.object({
  reason: z.enum(['draining', 'superseded', 'moved']),
  reconnect_in_ms: milliseconds,
  /** Sent by a relay: the replicas that stay. The node needs no new link when it has enough of them. */
  replicas: replicasMessage.optional(),
});
export type GoAwayMessage = z.output<typeof goAwayMessage>;
