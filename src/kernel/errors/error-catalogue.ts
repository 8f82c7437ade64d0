/**
 * Every error that Ferry answers with on the public routes: one row per code. `docs/reference/errors.md` is generated from this table.
 * Statuses stay in the set of docs/reference/public-api.md#errors (docs/reference/api-behaviour.md#error-bodies); 500 is a bug of ours
 * and nothing else.
 */
export interface ErrorDefinition {
  /** 409 is the management API's alone. */
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503;
  /** `error.type` of the OpenAI envelope. */
  readonly openaiType: string;
  /** `error.type` of the Anthropic envelope. */
  readonly anthropicType: string;
  /** The whole body where the spec wants plain text (docs/reference/public-api.md#plain-text-errors) instead of JSON. */
  readonly plainText?: string;
  /** Seconds in `Retry-After` when the thrower knows nothing better. */
  readonly retryAfterSeconds?: number;
  /**
   * Value of `x-should-retry`, which official SDKs obey over the status (docs/reference/client-protocols.md#common-http). Absent: header
   * not sent.
   */
  readonly shouldRetry?: boolean;
  readonly meaning: string;
  readonly remedy: string;
}

const invalid = { status: 400, openaiType: 'invalid_request_error', anthropicType: 'invalid_request_error' } as const;
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
    meaning: 'The management route needs a higher role than the one of the person who is signed in.',
    remedy: 'Ask an admin or owner of the account.',
  },
  wrong_email_or_password: {
    ...unauthenticated,
    meaning: 'Management API only: nobody signs in with this e-mail address and this password.',
    remedy: 'Try again; a locked-out owner runs `ferry users reset-password EMAIL` on the server.',
  },
  recent_sign_in_needed: {
    ...forbidden,
    meaning: 'Management API only: this needs a session whose sign-in was minutes ago.',
    remedy: 'Sign in again, then repeat the request.',
  },
  cross_site_request: {
    ...forbidden,
    meaning: 'Management API only: a session cookie came with a request that another site may have started.',
    remedy: 'Send the request from a page of the relay itself, or use a CLI token.',
  },
  sign_in_refused: {
    ...forbidden,
    meaning:
      'Management API only: the OpenID provider does not vouch for this person, or the account does not know them.',
    remedy: 'Start again; if it stays so, ask an admin of the account for an invite.',
  },
  sign_up_closed: {
    ...forbidden,
    meaning: 'Management API only: this relay does not let people make accounts of their own.',
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
      'Use an `id` or `selector` of `GET /v1/models`. A display name of models with different canonical names is none: the message lists their selectors.',
  },
  not_found: {
    ...missing,
    meaning: 'Management API only: the account has nothing of this id or name.',
    remedy: 'List what there is, for example with `ferry keys list` or `ferry nodes list`.',
  },
  conflict: {
    status: 409,
    openaiType: 'invalid_request_error',
    anthropicType: 'invalid_request_error',
    meaning: 'Management API only: the change contradicts what there is; the message says how.',
    remedy: 'Read the message; look at the current state and decide again.',
  },
  link_used: {
    ...invalid,
    meaning: 'Management API only: the one-time link has signed somebody in already.',
    remedy: 'Sign in with e-mail address and password, or run `ferry up` again for a new link.',
  },
  authorization_pending: {
    ...invalid,
    meaning: 'Management API only: nobody has approved this device sign-in yet.',
    remedy: 'Ask again after `interval` seconds.',
  },
  slow_down: {
    ...invalid,
    meaning: 'Management API only: this device sign-in is asked about too often.',
    remedy: 'Wait five seconds longer between two questions.',
  },
  expired_token: {
    ...invalid,
    meaning: 'Management API only: the device sign-in is unknown, expired or used.',
    remedy: 'Start again with `ferry login`.',
  },
  access_denied: {
    ...invalid,
    meaning: 'Management API only: the device sign-in was refused, or tried too often.',
    remedy: 'Start again with `ferry login`.',
  },
  idempotency_key_reused: {
    status: 409,
    openaiType: 'invalid_request_error',
    anthropicType: 'invalid_request_error',
    meaning: 'Management API only: the `Idempotency-Key` came with another request before.',
    remedy: 'Use a new key for each new request, and the same one for its repetitions only.',
  },
  idempotency_conflict: {
    status: 409,
    openaiType: 'invalid_request_error',
    anthropicType: 'invalid_request_error',
    meaning: 'Management API only: a request with this `Idempotency-Key` is being carried out.',
    remedy:
      'With `Retry-After`: repeat the same request then. Without: the message says what is known of it; look before you act again.',
  },
  operation_conflict: {
    status: 409,
    openaiType: 'invalid_request_error',
    anthropicType: 'invalid_request_error',
    meaning: 'Management API only: another operation on the same model of the same node is under way.',
    remedy: 'Wait for it or cancel it: `ferry models jobs`.',
  },
  previous_response_not_found: {
    ...missing,
    meaning: 'The response to continue is gone, foreign, or its node is offline.',
    remedy: 'Send the whole conversation again without `previous_response_id`.',
  },
  invalid_json: {
    ...invalid,
    meaning: 'The body is not one JSON object in valid UTF-8, or nested too deeply.',
    remedy: 'Send a JSON object.',
  },
  invalid_request: {
    ...invalid,
    meaning: 'A field that the spec names is missing or of the wrong type; `param` names it.',
    remedy: 'Correct the field.',
  },
  unsupported_parameter: {
    ...invalid,
    meaning: 'A field asks for something that this service does not do; `param` names it.',
    remedy: 'Leave the field out.',
  },
  unsupported_capability: {
    ...invalid,
    meaning:
      'No online node that has the model supports what the request needs (media, tools or this protocol); `param` names the field.',
    remedy: 'Choose a model that supports it: `GET /v1/models`.',
  },
  unsupported_content_type: {
    ...invalid,
    meaning: 'The body is not sent as JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  unsupported_content_encoding: {
    ...invalid,
    meaning: 'The body is compressed in a way this relay cannot read.',
    remedy: 'Send it uncompressed, or with gzip, br, deflate (zstd where the relay runs on Node 24).',
  },
  context_length_exceeded: {
    ...invalid,
    meaning:
      'The prompt, or prompt and `max_tokens` together, exceed the context of the model on every node that could serve the request; the message has the numbers, with the largest context there is.',
    remedy:
      'Shorten the conversation, or load the model with more context: `ferry models load MODEL --context TOKENS`.',
  },
  engine_rejected_request: {
    ...invalid,
    meaning: 'The engine on the node refused the request; the message is its own.',
    remedy: 'Read the message, and correct what the engine names.',
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
    meaning: 'Management API only: the node or the account has as many unfinished operations as it may have.',
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
      'Management API only: the catalogue of models (Hugging Face, or `FERRY_HUB_URL`) does not answer as it should.',
    remedy: 'Check that the relay reaches it. A model can be installed by its name or address meanwhile.',
  },
  no_node_for_user: {
    ...unavailable,
    plainText: 'no node for user',
    retryAfterSeconds: 3,
    shouldRetry: true,
    meaning:
      'No eligible node now; `x-ferry-reason` says why: `no_node_online`, `model_not_loaded`, `model_loading`, `engine_unreachable`, `cluster_offline` or `nodes_unavailable`.',
    remedy: 'Start the node (`ferry node status`) or load the model, then retry.',
  },
  engine_error: {
    ...unavailable,
    shouldRetry: false,
    meaning: 'The engine on the node failed or answered with something that is not an answer.',
    remedy: "Look at the engine's own log on the node.",
  },
  engine_timeout: {
    ...unavailable,
    anthropicType: 'timeout_error',
    shouldRetry: false,
    meaning: 'The engine produced nothing within the limit: no first token, or silence in the middle.',
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
    meaning: 'The relay protects itself: bodies in memory, or a database that does not answer.',
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
