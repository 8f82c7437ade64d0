/** Answers of the messages dialect, whole and as events (docs/reference/client-protocols.md#messages). */
import type { JsonObject } from '../../../kernel/json-object.js';

export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal';

export interface MessageUsage {
  /** Cached tokens are not included. */
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens_details: { readonly thinking_tokens: number } | null;
  readonly cache_creation: null;
  readonly fallback_credit: null;
  readonly inference_geo: null;
  readonly iterations: null;
  readonly server_tool_use: null;
  readonly service_tier: null;
  readonly speed: null;
}

interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly caller: typeof MODEL_ITSELF;
}

/** The model itself calls, not a tool of a server. */
export const MODEL_ITSELF = { type: 'direct' } as const;

export type ContentBlock = TextBlock | ThinkingBlock | ToolUseBlock;

/** How the response ended; null before its end. */
export interface MessageOutcome {
  readonly stop_reason: StopReason | null;
  readonly stop_sequence: string | null;
  readonly stop_details: null;
  readonly container: null;
}

export interface Message extends MessageOutcome {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly ContentBlock[];
  readonly usage: MessageUsage;
  readonly diagnostics: null;
  readonly context_management: null;
}

export type BlockDelta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'signature_delta'; readonly signature: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string };

export type MessageEvent =
  | { readonly type: 'message_start'; readonly message: Message }
  | { readonly type: 'ping' }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: ContentBlock }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: BlockDelta }
  | { readonly type: 'content_block_stop'; readonly index: number }
  | {
      readonly type: 'message_delta';
      readonly delta: MessageOutcome;
      readonly usage: MessageUsage;
      readonly context_management: null;
    }
  | { readonly type: 'message_stop' };

/**
 * Clients that send thinking back require a signature. It is not verified, because reasoning may be passed to any model
 * (docs/reference/translation.md#chat-answer-to-a-message).
 */
export const THINKING_SIGNATURE = Buffer.from('relay').toString('base64');

export interface ResponseFacts {
  /** `msg_…` */
  readonly messageId: string;
  /** The name that the client used. */
  readonly model: string;
  /** Used when the engine reports no usage. */
  readonly inputTokensEstimate: number;
  /** Pass on one call only, for engines without such an option. */
  readonly serialCalls: boolean;
  readonly stopSequences: readonly string[];
  /** A new `toolu_…`, for calls whose engine gives no id of its own. */
  readonly newCallId: () => string;
}

export const messageOf = (
  { messageId, model }: ResponseFacts,
  content: readonly ContentBlock[],
  outcome: MessageOutcome,
  usage: MessageUsage,
): Message => ({
  id: messageId,
  type: 'message',
  role: 'assistant',
  model,
  content,
  ...outcome,
  usage,
  diagnostics: null,
  context_management: null,
});
