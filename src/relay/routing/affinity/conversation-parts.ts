import type { Dialect } from '../../../kernel/dialect.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json-object.js';

/** Where the prompt of a request is in its parsed body, unchecked. */
export interface ConversationParts {
  /** A text or a list of parts before the messages; undefined where the dialect has none. */
  readonly instructions: unknown;
  /** Undefined: the prompt is `text`. */
  readonly messages?: unknown;
  readonly text?: unknown;
}

export function conversationParts(dialect: Dialect, body: JsonObject): ConversationParts {
  switch (dialect) {
    case 'chat':
      return { instructions: undefined, messages: body['messages'] };
    case 'messages':
      return { instructions: body['system'], messages: body['messages'] };
    case 'responses': {
      const { input, instructions } = body;
      return typeof input === 'string' ? { instructions, text: input } : { instructions, messages: input };
    }
    case 'completions':
      return { instructions: undefined, text: body['prompt'] };
    default:
      return dialect satisfies never;
  }
}

/** The text of one part of a content; undefined for an image or a file. */
export function textOfPart(part: unknown): string | undefined {
  const text = typeof part === 'string' ? part : isJsonObject(part) ? part['text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}
