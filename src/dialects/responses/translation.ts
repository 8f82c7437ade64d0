/**
 * Data of the request needed to translate its response (docs/reference/translation.md#responses-request-to-chat), created by
 * `responsesToChat`.
 */
import type { JsonObject } from '../../kernel/json-object.js';
import type { Clock } from '../../kernel/clock.js';
import type { ResponseItem } from './items.js';
import type { DeclaredTool } from './tools/declared-tools.js';

/** Maps the engine's names to those of the client. */
export interface ResponseTranslation {
  /** Keyed by the name that the engine sees. */
  readonly tools: ReadonlyMap<string, DeclaredTool>;
  /** False: the client allows one call only, which engines may ignore. */
  readonly parallelToolCalls: boolean;
  /** The client requested log probabilities. */
  readonly logprobs: boolean;
  /** The client requested `encrypted_content` of reasoning items. */
  readonly encryptedReasoning: boolean;
  /** Call ids of the conversation: a new call must not repeat one. */
  readonly usedCallIds: ReadonlySet<string>;
}

/** The chat request, and the data to translate its response. */
export interface ChatTranslation {
  /** The body of a chat request; `model` is still the public name. */
  readonly body: JsonObject;
  /** The body for a template that takes no system message behind the first turn. Absent: it has none. */
  readonly withoutLaterSystem?: () => JsonObject;
  /** Paths of request fields without an equivalent in chat. */
  readonly dropped: readonly string[];
  /** Paths of what the model gets in another form, such as a call whose result is missing. */
  readonly changed: readonly string[];
  /** The normalised input, to be stored before the items of the response. */
  readonly items: readonly ResponseItem[];
  readonly response: ResponseTranslation;
}

export interface ToChatOptions {
  /** The items of the response that this request continues, oldest first; empty without `previous_response_id`. */
  readonly earlier: readonly ResponseItem[];
  /** Looks up an `item_reference` that is not among the earlier items; absent: not supported. */
  readonly findItem?: (id: string) => ResponseItem | undefined;
  /**
   * Whether the model reasons; null when unknown. False removes the effort, which some engines refuse
   * (docs/reference/requirements.md).
   */
  readonly reasoning?: boolean | null;
}

/** Prefixes of ids within a response. */
type IdPrefix = 'msg' | 'rs' | 'fc' | 'ctc' | 'call';

export interface ResponseContext {
  /** `resp_…`, created by the node. */
  readonly responseId: string;
  /** The name in the request; answers never have the engine's name (docs/reference/api-behaviour.md#model-name-in-answers). */
  readonly model: string;
  /** The client's request, which every snapshot of the response repeats. */
  readonly request: JsonObject;
  readonly translation: ResponseTranslation;
  readonly clock: Clock;
  /** Returns a new id: `msg_…`, `rs_…`, …. */
  readonly mintId: (prefix: IdPrefix) => string;
}
