/**
 * Types of chat requests written by the translators: the part of the protocol that every engine supports
 * (docs/reference/client-protocols.md#chat-completions).
 */
import type { JsonObject } from '../../../kernel/json-object.js';

interface ChatTextPart {
  readonly type: 'text';
  readonly text: string;
}

interface ChatImagePart {
  readonly type: 'image_url';
  readonly image_url: { readonly url: string };
}

interface ChatFilePart {
  readonly type: 'file';
  readonly file: { readonly filename: string; readonly file_data: string };
}

export type ChatPart = ChatTextPart | ChatImagePart | ChatFilePart;

export interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ChatPart[] }
  | {
      readonly role: 'assistant';
      /** null only beside tool calls. */
      readonly content: string | null;
      /** Under both names that engines read (docs/reference/translation.md#responses-request-to-chat). */
      readonly reasoning_content?: string;
      readonly reasoning?: string;
      readonly tool_calls?: readonly ChatToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export interface ChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters: JsonObject;
    readonly strict?: boolean;
  };
}

/** Text alone becomes a plain string, the only form in many templates (docs/reference/translation.md#messages-request-to-chat). */
export const userContent = (parts: readonly ChatPart[]): string | readonly ChatPart[] => {
  const texts: string[] = [];
  for (const part of parts) {
    if (part.type !== 'text') return parts;
    texts.push(part.text);
  }
  return texts.join('\n\n');
};
