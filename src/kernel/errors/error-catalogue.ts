/**
 * Every error that Ferry answers with on the public routes: one row per code. `docs/reference/errors.md` is generated from this table.
 * Statuses stay in the set of docs/reference/public-api.md#errors (docs/reference/api-behaviour.md#error-bodies); 500 always means a bug in Ferry.
 */
export interface ErrorDefinition {
  /** 409 occurs in the management API only, 501 on routes of extensions only. */
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 501 | 503;
  /** `error.type` of the OpenAI envelope. */
  readonly openaiType: string;
  /** `error.type` of the Anthropic envelope. */
  readonly anthropicType: string;
  /** The whole body where the spec wants plain text (docs/reference/public-api.md#plain-text-errors) instead of JSON. */
  readonly plainText?: string;
  /** Seconds in `Retry-After` unless the thrown error has its own. */
  readonly retryAfterSeconds?: number;
  /**
   * Value of `x-should-retry`, which official SDKs obey over the status (docs/reference/client-protocols.md#common-http). Absent: header
   * not sent.
   */
  readonly shouldRetry?: boolean;
  readonly meaning: string;
  readonly remedy: string;
}

const invalid = {
  status: 400,
  openaiType: 'invalid_request_error',
  anthropicType: 'invalid_request_error',
  // Some clients repeat every failure, and this one fails again.
  shouldRetry: false,
} as const;
const missing = { status: 404, openaiType: 'not_found_error', anthropicType: 'not_found_error' } as const;
const unauthenticated = {
  status: 401,
  openaiType: 'authentication_error',
  anthropicType: 'authentication_error',
} as const;
const forbidden = { status: 403, openaiType: 'permission_error', anthropicType: 'permission_error' } as const;
const unavailable = { status: 503, openaiType: 'server_error', anthropicType: 'api_error' } as const;
const limited = { status: 429, openaiType: 'rate_limit_error', anthropicType: 'rate_limit_error' } as const;

export const errorCatalogue = {
  missing_or_malformed_credential: {
    ...unauthenticated,
    plainText: 'missing_or_malformed_credential',
    meaning: 'No `Authorization: Bearer` header, more than one, or a credential of the wrong shape.',
    remedy:
      'Send `Authorization: Bearer sk-ferry-…`. Anthropic clients: set `authToken` / `ANTHROPIC_AUTH_TOKEN`, not `apiKey`.',
  },
  invalid_credential: {
    ...unauthenticated,
    meaning: 'The API key is well-formed but unknown, expired or revoked.',
    remedy: 'Create a new key with `ferry keys create NAME`.',
  },
  insufficient_scope: {
    ...forbidden,
    meaning: "The key is valid but its scopes do not include this route's.",
    remedy: 'Use a key with the `inference` scope.',
  },
  insufficient_role: {
    ...forbidden,
    meaning: 'The management route needs a higher role than that of the signed-in user.',
    remedy: 'Ask an admin or owner of the account.',
  },
  request_stopped: {
    ...forbidden,
    shouldRetry: false,
    meaning: 'A user of the account stopped the request while it ran: `k` in `ferry top`.',
    remedy: 'Ask that user before you send the request again.',
  },
  wrong_email_or_password: {
    ...unauthenticated,
    meaning: 'Management API only: the e-mail address or the password is wrong.',
    remedy: 'Try again; a locked-out owner runs `ferry users reset-password EMAIL` on the server.',
  },
  recent_sign_in_needed: {
    ...forbidden,
    meaning: 'Management API only: this needs a session with a recent sign-in (`FERRY_RECENT_SIGN_IN_MS`).',
    remedy: 'Sign in again, then repeat the request.',
  },
  cross_site_request: {
    ...forbidden,
    meaning: 'Management API only: a request with a session cookie that may come from another site.',
    remedy: 'Send the request from a page of the relay itself, or use a CLI token.',
  },
  sign_in_refused: {
    ...forbidden,
    meaning: 'Management API only: the OpenID provider did not authenticate the user, or the user has no account here.',
    remedy: 'Try again; if it still fails, ask an admin of the account for an invite.',
  },
  sign_up_closed: {
    ...forbidden,
    meaning: 'Management API only: users cannot sign up at this relay by themselves.',
    remedy: 'Ask an admin of the account for an invite, or set `FERRY_SIGN_UP=open`.',
  },
  cluster_not_allowed: {
    ...forbidden,
    meaning: 'The key is restricted to other clusters than the one in `X-Cluster-ID`.',
    remedy: 'Leave the header out, or use a key that may reach this cluster.',
  },
  route_not_found: {
    ...missing,
    meaning: 'There is no such route, or not with this method.',
    remedy: 'The routes are listed in the README; base URLs of OpenAI clients end in `/v1`.',
  },
  cluster_not_found: {
    ...missing,
    meaning: 'This account has no cluster with this id.',
    remedy: 'List clusters with `ferry clusters`, or read `clusters[].cluster_id` in `GET /v1/models`.',
  },
  model_not_found: {
    ...missing,
    meaning: 'No model of the scope has this id or selector.',
    remedy:
      'Use an `id` or `selector` of `GET /v1/models`. A display name shared by models with different canonical names is ambiguous: the message lists their selectors.',
  },
  not_found: {
    ...missing,
    meaning: 'Management API only: the account has no object with this id or name.',
    remedy: 'List the objects, for example with `ferry keys list` or `ferry nodes list`.',
  },
  conflict: {
    status: 409,
    openaiType: 'invalid_request_error',
    anthropicType: 'invalid_request_error',
    meaning: 'Management API only: the change conflicts with the current state; the message says how.',
    remedy: 'Read the current state, then decide again.',
  },
  link_used: {
    ...invalid,
    status: 409,
    meaning: 'Management API only: the one-time sign-in link was used already.',
    remedy: 'Sign in with e-mail address and password, or run `ferry up` again for a new link.',
  },
  authorization_pending: {
    ...invalid,
    meaning: 'Management API only: the device sign-in is not approved yet.',
    remedy: 'Poll again after `interval` seconds.',
  },
  slow_down: {
    ...invalid,
    meaning: 'Management API only: this device sign-in is polled too often.',
    remedy: 'Wait five seconds longer between two polls.',
  },
  expired_token: {
    ...invalid,
    meaning: 'Management API only: the device sign-in is unknown, expired or used.',
    remedy: 'Start again with `ferry login`.',
  },
  access_denied: {
    ...invalid,
    meaning: 'Management API only: the device sign-in was denied, or wrong codes were entered too often.',
    remedy: 'Start again with `ferry login`.',
  },
  idempotency_key_reused: {
    status: 409,
    openaiType: 'invalid_request_error',
    anthropicType: 'invalid_request_error',
    meaning: 'Management API only: the `Idempotency-Key` was used for a different request.',
    remedy: 'Use a new key for each request, and the same key only for its retries.',
  },
  idempotency_conflict: {
    status: 409,
    openaiType: 'invalid_request_error',
    anthropicType: 'invalid_request_error',
    meaning: 'Management API only: a request with this `Idempotency-Key` is in progress, or its outcome is unknown.',
    remedy: 'With `Retry-After`: repeat the same request then. Without: check the current state before you repeat it.',
  },
  operation_conflict: {
    status: 409,
    openaiType: 'invalid_request_error',
    anthropicType: 'invalid_request_error',
    meaning: 'Management API only: another operation on the same model of this node is in progress.',
    remedy: 'Wait for it or cancel it: `ferry models jobs`.',
  },
  thread_unsupported_request: {
    ...invalid,
    meaning:
      'A messages request with a `thread` that cannot be kept: the node keeps none, or the conversation is too large for it.',
    remedy:
      'Send the whole conversation without `thread`. The tool runners of the official SDKs do so by themselves, `beta.messages.thread()` with `unsupportedRequestBehavior: "continue_unthreaded"`.',
  },
  thread_not_found: {
    ...missing,
    meaning:
      'The message to continue does not exist in this account, was not part of a thread, was evicted, or its node is offline or has restarted.',
    remedy: 'Send the whole conversation with `thread: {"type": "create"}`, as the official SDKs do by themselves.',
  },
  thread_already_continued: {
    ...invalid,
    meaning: 'The message to continue was continued before, and each message of a thread can be continued once.',
    remedy:
      'Continue from the last message of the thread, or send the whole conversation with `thread: {"type": "create"}`.',
  },
  thread_continue_in_flight: {
    ...invalid,
    meaning: 'Another request that continues the same message is running.',
    remedy:
      'Wait for its message and continue from that, or send the whole conversation with `thread: {"type": "create"}`.',
  },
  previous_response_not_found: {
    ...missing,
    meaning: 'The response to continue does not exist in this account, was deleted, or its node is offline.',
    remedy: 'Send the whole conversation again without `previous_response_id`.',
  },
  invalid_json: {
    ...invalid,
    meaning: 'The body is not one JSON object in valid UTF-8, or nested too deeply.',
    remedy: 'Send a JSON object.',
  },
  invalid_request: {
    ...invalid,
    meaning: 'A field of the specification is missing or has the wrong type; `param` names it.',
    remedy: 'Correct the field.',
  },
  unsupported_parameter: {
    ...invalid,
    meaning: 'A field requests a feature that is not supported; `param` names it.',
    remedy: 'Leave the field out.',
  },
  unsupported_capability: {
    ...invalid,
    meaning:
      'No online node that has the model supports what the request needs (media, tools or this protocol); `param` names the field.',
    remedy: 'Choose a model that supports it: `GET /v1/models`.',
  },
  not_implemented: {
    status: 501,
    openaiType: 'server_error',
    anthropicType: 'api_error',
    shouldRetry: false,
    meaning:
      'Extensions only: no loaded copy of the model is on an engine that can do what the route asks, such as counting tokens exactly.',
    remedy: 'Run the model on an engine that can: the page about extensions lists them.',
  },
  unsupported_content_type: {
    ...invalid,
    meaning: 'The body is not sent as JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  unsupported_content_encoding: {
    ...invalid,
    meaning: 'The content encoding of the body is not supported.',
    remedy: 'Send it uncompressed, or with gzip, br, deflate (zstd where the relay runs on Node 24).',
  },
  context_length_exceeded: {
    ...invalid,
    meaning:
      'The prompt, or prompt and `max_tokens` together, exceed the context of the model on every node that could serve the request; the message states the numbers, including the largest available context.',
    remedy:
      'Shorten the conversation, or load the model with more context: `ferry models load MODEL --context TOKENS`.',
  },
  engine_rejected_request: {
    ...invalid,
    meaning: 'The engine on the node refused the request; the message is quoted from the engine.',
    remedy: 'Read the message and correct the request.',
  },
  request_too_large: {
    ...invalid,
    status: 413,
    anthropicType: 'request_too_large',
    meaning: 'The prepared body exceeds 16 MiB (16,777,216 bytes), attachments included.',
    remedy: 'Send smaller attachments; the encoded size counts.',
  },
  capacity: {
    ...limited,
    retryAfterSeconds: 2,
    shouldRetry: true,
    meaning: 'Every node that could serve the request is busy and the queue is full or its deadline has passed.',
    remedy: 'Retry after `Retry-After`, or add a node.',
  },
  rate_limit_exceeded: {
    ...limited,
    retryAfterSeconds: 1,
    shouldRetry: true,
    meaning: 'A limit of the key or account is used up.',
    remedy: 'Retry after `Retry-After`.',
  },
  too_many_operations: {
    ...limited,
    retryAfterSeconds: 30,
    meaning: 'Management API only: the node or the account has reached its limit of unfinished operations.',
    remedy: 'Wait for some to end, or cancel them: `ferry models jobs`.',
  },
  node_offline: {
    ...unavailable,
    retryAfterSeconds: 5,
    meaning: 'Management API only: the node that the operation is for is not connected now.',
    remedy: 'Start it (`ferry node run`) and look at `ferry nodes`.',
  },
  catalog_unavailable: {
    ...unavailable,
    retryAfterSeconds: 10,
    meaning:
      'Management API only: the catalogue of models (Hugging Face, or `FERRY_HUB_URL`) does not respond correctly.',
    remedy: 'Check that the relay reaches it. A model can be installed by its name or address meanwhile.',
  },
  no_node_for_user: {
    ...unavailable,
    plainText: 'no node for user',
    retryAfterSeconds: 3,
    shouldRetry: true,
    meaning:
      'No eligible node now; `x-ferry-reason` says why: `no_node_online`, `model_not_loaded`, `model_loading`, `engine_unreachable`, `cluster_offline` or `nodes_unavailable`.',
    remedy: 'Start the node (`ferry node status` on its computer) or load the model, then retry.',
  },
  engine_error: {
    ...unavailable,
    shouldRetry: false,
    meaning: 'The engine on the node failed or sent an invalid response.',
    remedy: "Look at the engine's own log on the node.",
  },
  engine_timeout: {
    ...unavailable,
    anthropicType: 'timeout_error',
    shouldRetry: false,
    meaning:
      'The engine produced no output within the limit: no first token, or a pause in the middle of the response.',
    remedy: 'Use a shorter prompt or a faster node, or raise the limit.',
  },
  node_disconnected: {
    // Not `overloaded_error`, which clients repeat on their own: the prompt may have run already
    // (docs/reference/stream-transport.md#errors-inside-a-stream).
    ...unavailable,
    shouldRetry: false,
    meaning: 'The serving computer disconnected while it worked on the request.',
    remedy: 'Retry when you can afford a second run of the prompt.',
  },
  overloaded: {
    ...unavailable,
    anthropicType: 'overloaded_error',
    retryAfterSeconds: 2,
    shouldRetry: true,
    meaning:
      'The relay is overloaded: its own work fills its core, its memory is short, or the database does not answer.',
    remedy: 'Retry after `Retry-After`.',
  },
  draining: {
    ...unavailable,
    anthropicType: 'overloaded_error',
    retryAfterSeconds: 2,
    shouldRetry: true,
    meaning: 'The relay is shutting down.',
    remedy: 'Retry; another relay, or the restarted one, will answer.',
  },
  internal_error: {
    ...unavailable,
    status: 500,
    meaning: 'A bug in Ferry.',
    remedy: 'Report it with the `x-request-id`.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;

export const definitionOf = (code: ErrorCode): ErrorDefinition => errorCatalogue[code];
