import { definitionOf, type ErrorCode } from './error-catalogue.js';

/**
 * Why no node could take the request: the value of `x-ferry-reason` beside the literal body `no node for user`
 * (docs/reference/api-behaviour.md#no-node-for-user).
 */
export type NoNodeReason =
  | 'no_node_online'
  | 'model_not_loaded'
  | 'model_loading'
  | 'engine_unreachable'
  | 'cluster_offline'
  | 'nodes_unavailable';

export interface FerryErrorOptions {
  /** The request field at fault, as a path such as `messages[0].content`. */
  readonly param?: string;
  readonly retryAfterSeconds?: number;
  readonly reason?: NoNodeReason;
  /** Overrides the catalogue: an engine's own 4xx keeps its status class (docs/reference/api-behaviour.md#error-bodies). */
  readonly status?: number;
  /** Overrides the catalogue: false once a node was given the prompt (reliability, finding 7). */
  readonly shouldRetry?: boolean;
  /** The code that an engine gave its own refusal. */
  readonly engineCode?: string;
  /** Further response headers, lower case, such as those of a rate limit. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body is JSON also where the contract has plain text (extension `json-errors`). */
  readonly inJson?: true;
  readonly cause?: unknown;
}

/** An error of the catalogue. The message is sent to the client: no secrets, no prompts, no paths. */
export class FerryError extends Error {
  override readonly name = 'FerryError';
  readonly status: number;
  readonly param: string | null;
  readonly retryAfterSeconds: number | undefined;
  readonly shouldRetry: boolean | undefined;
  readonly reason: NoNodeReason | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly engineCode: string | undefined;
  readonly inJson: boolean;

  constructor(
    readonly code: ErrorCode,
    message: string = definitionOf(code).meaning,
    options: FerryErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const definition = definitionOf(code);
    this.status = options.status ?? definition.status;
    this.param = options.param ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? definition.retryAfterSeconds;
    this.shouldRetry = options.shouldRetry ?? definition.shouldRetry;
    this.reason = options.reason;
    this.headers = options.headers;
    this.engineCode = options.engineCode;
    this.inJson = options.inJson ?? false;
  }
}
