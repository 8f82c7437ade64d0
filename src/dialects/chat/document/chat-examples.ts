/** Requests that the tests really send, and answers as they come back. */
import type { RequestExample } from '../../document.js';

const weatherTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Get the weather for a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const question = { role: 'user', content: 'What is the weather in Paris?' };
const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } };

export const chatRequests: Readonly<Record<string, RequestExample>> = {
  text: {
    summary: 'Text',
    value: {
      model: 'tiny',
      messages: [
        { role: 'system', content: 'You are a helpful assistant.' },
        { role: 'user', content: 'Hello' },
      ],
      max_tokens: 64,
      temperature: 0,
    },
  },
  stream: {
    summary: 'Stream',
    value: {
      model: 'tiny',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      messages: [{ role: 'user', content: 'Count to 8' }],
    },
  },
  tools: {
    summary: 'Offer a tool',
    value: { model: 'tiny', temperature: 0, tools: [weatherTool], tool_choice: 'required', messages: [question] },
  },
  tool_result: {
    summary: 'Return the result of a tool',
    value: {
      model: 'tiny',
      temperature: 0,
      max_tokens: 64,
      tools: [weatherTool],
      messages: [
        question,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny, 21 degrees' },
      ],
    },
  },
  json_schema: {
    summary: 'Structured output',
    value: {
      model: 'tiny',
      temperature: 0,
      max_tokens: 64,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'answer',
          schema: { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] },
        },
      },
      messages: [{ role: 'user', content: 'Hello' }],
    },
  },
  image: {
    summary: 'Image input, for vision models',
    value: {
      model: 'tiny',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          ],
        },
      ],
    },
  },
};

const envelope = { id: 'chatcmpl-7f3c', object: 'chat.completion', created: 1790000000, model: 'tiny' };

export const chatResponses: Readonly<Record<string, RequestExample>> = {
  text: {
    summary: 'Text',
    value: {
      ...envelope,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello! How can I help you today?' },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 24, completion_tokens: 9, total_tokens: 33 },
    },
  },
  tools: {
    summary: 'A tool call',
    value: {
      ...envelope,
      choices: [
        { index: 0, message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' },
      ],
      usage: { prompt_tokens: 61, completion_tokens: 18, total_tokens: 79 },
    },
  },
};

const chunk = (choices: readonly unknown[], more: object = {}): string =>
  `data: ${JSON.stringify({ ...envelope, object: 'chat.completion.chunk', choices, ...more })}\n\n`;

export const chatStream = [
  chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
  chunk([{ index: 0, delta: { content: 'Hello!' }, finish_reason: null }]),
  chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
  chunk([], { usage: { prompt_tokens: 24, completion_tokens: 2, total_tokens: 26 } }),
  'data: [DONE]\n\n',
].join('');
