/**
 * Items of a conversation, as in requests and answers of the responses route
 * (docs/reference/client-protocols.md#responses).
 */
import type { JsonObject } from '../../kernel/json-object.js';

/**
 * An item of the input or of an earlier response, as stored for `previous_response_id`. Only `type` is validated: other fields are checked
 * before use, because clients may send unknown kinds of items.
 */
export interface ResponseItem extends JsonObject {
  readonly type: string;
}

/** Closed items are `completed`, except one truncated by a limit. */
export type ClosedStatus = 'completed' | 'incomplete';
export type ItemStatus = ClosedStatus | 'in_progress';

export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  /** The UTF-8 of the token. */
  readonly bytes: readonly number[];
}

export interface PositionLogprobs extends TokenLogprob {
  readonly top_logprobs: readonly TokenLogprob[];
}

export interface TextPart {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly never[];
  readonly logprobs: readonly PositionLogprobs[];
}

export interface RefusalPart {
  readonly type: 'refusal';
  readonly refusal: string;
}

export interface MessageOutput {
  readonly type: 'message';
  readonly id: string;
  readonly status: ItemStatus;
  readonly role: 'assistant';
  readonly content: readonly (TextPart | RefusalPart)[];
}

export interface ReasoningOutput {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
  /** Only if the client requested it; see `reasoning-replay.ts`. */
  readonly encrypted_content?: string;
  /** Only for reasoning truncated by a limit; the schema has no such field for this item. */
  readonly status?: 'incomplete';
}

export interface FunctionCallOutput {
  readonly type: 'function_call';
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  /** Set for a tool declared inside a namespace. */
  readonly namespace?: string;
  readonly arguments: string;
  readonly status: ItemStatus;
}

/**
 * Not in the OpenResponses schema: only for clients that declared custom tools (docs/reference/translation.md#responses-request-to-chat).
 */
export interface CustomCallOutput {
  readonly type: 'custom_tool_call';
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly input: string;
  readonly status: ItemStatus;
}

export type OutputItem = MessageOutput | ReasoningOutput | FunctionCallOutput | CustomCallOutput;
