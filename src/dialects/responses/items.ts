/**
 * What a conversation consists of on the responses route: items, as clients send them and as answers carry them
 * (docs/reference/client-protocols.md#responses).
 */
import type { JsonObject } from '../../kernel/json-object.js';

/**
 * An item of the input or of an earlier answer, as it is kept for `previous_response_id`. Only `type` is sure: everything else is asked
 * for before it is used, because clients send items that are newer than this table.
 */
export interface ResponseItem extends JsonObject {
  readonly type: string;
}

/** Items are closed as `completed`, but for the one that a limit cut. */
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
  /** Only where the client asked for it; see `reasoning-replay.ts`. */
  readonly encrypted_content?: string;
  /** Only where a limit cut the reasoning: the schema has none for this item. */
  readonly status?: 'incomplete';
}

export interface FunctionCallOutput {
  readonly type: 'function_call';
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  /** Where the tool was declared inside a namespace. */
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
