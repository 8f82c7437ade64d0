import type { Clock } from '../kernel/clock.js';
import type { ExtensionName } from '../kernel/extension.js';
import type { AccountId, NodeId } from '../kernel/ids.js';
import type { JsonObject } from '../kernel/json-object.js';
import type { ResponseIdPrefix, ResponseIds } from '../kernel/response-id.js';
import type { ProtocolDocument } from './document.js';
import type { DividedRequest } from './divided-request.js';
import type { Envelope } from './envelope.js';
import type { FieldPath, Requirements } from './requirements.js';
import type { StreamFormat } from './stream-format.js';

/**
 * All that distinguishes one inference protocol from the others on the relay: routes, errors, metrics, usage, routing and documents read it
 * from here. `protocols.ts` has one per name in `kernel/dialect.ts`; the node's part is the exchange of the same name.
 */
export interface Protocol<E extends Envelope = Envelope> {
  /** Also the value in metrics, in usage and on the link. */
  readonly dialect: E['dialect'];
  readonly path: `/v1/${string}`;
  /** The route exists for accounts that have it on. Absent: it is of the contract, and every account has it. */
  readonly extension?: ExtensionName;
  /** A key with this scope alone may use the route, and so may one with `inference`. Absent: only the latter. */
  readonly scope?: 'embeddings' | 'rerank';
  /** As part of a sentence. */
  readonly name: string;
  /** The format of error bodies. */
  readonly errors: 'openai' | 'openresponses' | 'anthropic';
  /** The field with the prompt, for errors about its length. */
  readonly promptField: string;
  /** @throws FerryError 400 with the path of the field at fault */
  read(body: JsonObject): ReadRequest<E>;
  /** The envelope as it crosses from the thread that parsed a large body. Absent: the whole. */
  transferred?(envelope: E): E;
  /** The prompt, for the affinity of conversations. */
  conversation(body: JsonObject): ConversationParts;
  /** Called once per stream: a format may keep parts of it. */
  format(envelope: E, clock: Clock): StreamFormat;
  /** Absent: no response can be continued by its id. */
  readonly continued?: ContinuedResponses<E>;
  /** The node sends the keep-alive events of a silent stream, because only it can distinguish them from output. */
  readonly nodeKeepsAlive?: true;
  /** How many texts a request has, and the field with them. Absent: one prompt. */
  inputs?(envelope: E): RequestInputs;
  /** @returns undefined where one node gets the whole request. Absent: always */
  divide?(body: Buffer, inputs: number, nodes: number): DividedRequest | undefined;
  /**
   * Bytes of a stream before its first token, and of one event with one short token: for an estimate where no usage was reported. null: no
   * text is generated.
   */
  readonly estimate: { readonly preambleBytes: number; readonly eventBytes: number } | null;
  /** Loaded on demand: few ask for the document. */
  document(): Promise<ProtocolDocument>;
}

/** The texts of a request that are computed independently of each other. */
export interface RequestInputs {
  readonly count: number;
  readonly field: 'input' | 'documents';
}

export interface ReadRequest<E extends Envelope = Envelope> {
  readonly envelope: E;
  readonly requirements: Requirements;
  /** Bytes of the longest prompt, where a request has several. Absent: those of the body. */
  readonly promptBytes?: number;
}

/** Where the prompt of a request is in its parsed body, unchecked. */
export interface ConversationParts {
  /** A text or a list of parts before the messages; undefined where the dialect has none. */
  readonly instructions: unknown;
  /** Undefined: the prompt is `text`. */
  readonly messages?: unknown;
  readonly text?: unknown;
}

/**
 * A conversation is in the memory of one node: only that node can continue it, and no second run elsewhere is possible
 * (docs/reference/request-lifecycle.md#at-most-once).
 */
export interface Continuation {
  /** null: the continued answer does not belong to the account. */
  readonly pinnedNode: NodeId | null;
  /** The request field that names the continued answer. */
  readonly param: FieldPath;
}

/** Responses that a later request continues on the node that stores them. */
export interface ContinuedResponses<E extends Envelope> {
  /** The beginning of their ids. */
  readonly idPrefix: ResponseIdPrefix;
  readonly notFound: 'previous_response_not_found' | 'thread_not_found';
  /** Undefined: the response to this request gets no id of the relay. */
  use(envelope: E, accountId: AccountId, ids: ResponseIds): { readonly continuation?: Continuation } | undefined;
}
