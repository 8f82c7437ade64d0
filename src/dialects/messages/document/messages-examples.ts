/** Requests that the tests really send, and answers as they come back. */
import type { RequestExample } from '../../document.js';

const weatherTool = {
  name: 'get_weather',
  description: 'Get the weather for a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const question = { role: 'user', content: 'What is the weather in Paris?' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } };
const limits = { model: 'tiny', max_tokens: 64, temperature: 0 };

export const messagesRequests: Readonly<Record<string, RequestExample>> = {
  text: {
    summary: 'Text',
    value: { ...limits, system: 'You are a helpful assistant.', messages: [{ role: 'user', content: 'Hello' }] },
  },
  stream: {
    summary: 'Stream',
    value: { ...limits, stream: true, messages: [{ role: 'user', content: 'Count to 8' }] },
  },
  tools: {
    summary: 'Offer a tool',
    value: { ...limits, tools: [weatherTool], tool_choice: { type: 'any' }, messages: [question] },
  },
  tool_result: {
    summary: 'Return the result of a tool',
    value: {
      ...limits,
      tools: [weatherTool],
      messages: [
        question,
        { role: 'assistant', content: [call] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Sunny, 21 degrees' }] },
      ],
    },
  },
  image: {
    summary: 'Image input, for vision models',
    value: {
      ...limits,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
            { type: 'text', text: 'What is this?' },
          ],
        },
      ],
    },
  },
};

const message = { id: 'msg_7f3c', type: 'message', role: 'assistant', model: 'tiny' };
const ended = (reason: string) => ({ stop_reason: reason, stop_sequence: null });
const textBlock = (text: string) => ({ type: 'text', text });

export const messagesResponses: Readonly<Record<string, RequestExample>> = {
  text: {
    summary: 'Text',
    value: {
      ...message,
      content: [textBlock('Hello! How can I help you today?')],
      ...ended('end_turn'),
      usage: { input_tokens: 24, output_tokens: 9 },
    },
  },
  tools: {
    summary: 'A tool call',
    value: {
      ...message,
      content: [{ ...call, caller: { type: 'direct' } }],
      ...ended('tool_use'),
      usage: { input_tokens: 61, output_tokens: 18 },
    },
  },
};

const event = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

export const messagesStream = [
  event('message_start', {
    message: {
      ...message,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 24, output_tokens: 0 },
    },
  }),
  event('content_block_start', { index: 0, content_block: textBlock('') }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello!' } }),
  event('content_block_stop', { index: 0 }),
  event('message_delta', { delta: ended('end_turn'), usage: { input_tokens: 24, output_tokens: 2 } }),
  event('message_stop'),
].join('');
