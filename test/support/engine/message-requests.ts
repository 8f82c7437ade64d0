/** Requests of the messages dialect, translated for an engine, and what their conversations consist of. */
import { readMessagesEnvelope } from '../../../src/dialects/messages/envelope.js';
import { messagesToChat, type TranslatedRequest } from '../../../src/dialects/messages/to-chat/to-chat.js';
import type { JsonObject } from '../../../src/kernel/json-object.js';

/** The conversation of the smallest request. */
export const hi = { role: 'user', content: 'hi' };

/**
 * @param fields added to those of the smallest request, or in their place
 * @param reasoning whether the model can reason; null when that is not known
 */
export const translate = (fields: object, reasoning: boolean | null = null): TranslatedRequest =>
  messagesToChat(readMessagesEnvelope({ model: 'tiny', max_tokens: 16, messages: [hi], ...fields }), { reasoning });

/** The body for the engine. */
export const chat = (fields: object): JsonObject => translate(fields).body;

/** The messages for the engine. */
export const conversation = (...messages: object[]): unknown => chat({ messages })['messages'];

/** A message of blocks. */
export const user = (...content: unknown[]): object => ({ role: 'user', content });
export const assistant = (...content: unknown[]): object => ({ role: 'assistant', content });

export const text = (words: string): object => ({ type: 'text', text: words });
export const png = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
export const image = { type: 'image', source: png };

/** `image` as the engine gets it. */
export const imagePart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
