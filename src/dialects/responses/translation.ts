/**
 * What a translation carries from the request to its answer (docs/reference/translation.md#responses-request-to-chat). Everything here is
 * made by `responsesToChat`.
 */
import type { JsonObject } from '../../kernel/json-object.js';
import type { Clock } from '../../kernel/clock.js';
import type { ResponseItem } from './items.js';
import type { DeclaredTool } from './tools/declared-tools.js';

/** Turns the engine's names and habits back into what the client knows. */
export interface AnswerTranslation {
  /** By the name under which the engine knows them. */
  readonly tools: ReadonlyMap<string, DeclaredTool>;
  /** False: the client takes one call at a time, and the engine may not have listened. */
  readonly parallelToolCalls: boolean;
  /** The client asked for log probabilities. */
  readonly logprobs: boolean;
  /** The client asked for `encrypted_content` of reasoning items. */
  readonly encryptedReasoning: boolean;
  /** Call ids of the conversation: a new call must not repeat one. */
  readonly usedCallIds: ReadonlySet<string>;
}

/** The request in chat's words, and what is needed to answer it in the client's. */
export interface ChatTranslation {
  /** The body of a chat request; `model` is still the public name. */
  readonly body: JsonObject;
  /** Request fields that chat has no words for: paths, without any text of the client. */
  readonly dropped: readonly string[];
  /** The input in its long form, to be stored in front of the answer's items. */
  readonly items: readonly ResponseItem[];
  readonly answer: AnswerTranslation;
}

export interface ToChatOptions {
  /** The items of the response that this request continues, oldest first; empty without `previous_response_id`. */
  readonly earlier: readonly ResponseItem[];
  /** Looks up an `item_reference` beyond the earlier items; absent: there is nothing else. */
  readonly findItem?: (id: string) => ResponseItem | undefined;
  /**
   * Whether the model thinks; null when its engine does not say. False strips the effort: some engines refuse it
   * (docs/reference/requirements.md).
   */
  readonly reasoning?: boolean | null;
}

/** Prefixes of the ids that an answer needs besides its own. */
export type IdPrefix = 'msg' | 'rs' | 'fc' | 'ctc' | 'call';

export interface AnswerContext {
  /** `resp_…`, made by the node. */
  readonly responseId: string;
  /** The name the client asked for: answers never carry the engine's own (docs/reference/api-behaviour.md#model-name-in-answers). */
  readonly model: string;
  /** The client's request: every snapshot of the response repeats it. */
  readonly request: JsonObject;
  readonly translation: AnswerTranslation;
  readonly clock: Clock;
  /** `msg_…`, `rs_…`, …: different every time. */
  readonly mintId: (prefix: IdPrefix) => string;
}
