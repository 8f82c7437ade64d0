/** Requests that the tests really send, and answers as they come back. */
import { requestEcho, responseResource, type ResponseState } from '../resource.js';
import type { OutputItem } from '../items.js';
import type { RequestExample } from '../../document.js';
import type { Schema } from '../../schema.js';

const weatherTool = {
  type: 'function',
  name: 'get_weather',
  description: 'Get the weather for a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const question = { role: 'user', content: 'What is the weather in Paris?' };
const call = { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' } as const;
const settings = { model: 'tiny', temperature: 0, max_output_tokens: 64 };

export const responsesRequests: Readonly<Record<string, RequestExample>> = {
  text: {
    summary: 'Text',
    value: { ...settings, instructions: 'You are a helpful assistant.', input: 'Hello', store: false },
  },
  stream: { summary: 'Stream', value: { ...settings, input: 'Count to 8', stream: true } },
  tools: {
    summary: 'Offer a tool',
    value: { ...settings, tools: [weatherTool], tool_choice: 'required', input: [question] },
  },
  tool_result: {
    summary: 'Return the result of a tool',
    value: {
      ...settings,
      tools: [weatherTool],
      input: [question, call, { type: 'function_call_output', call_id: 'call_1', output: 'Sunny, 21 degrees' }],
    },
  },
  json_schema: {
    summary: 'Structured output',
    value: {
      ...settings,
      input: 'Hello',
      text: {
        format: {
          type: 'json_schema',
          name: 'answer',
          schema: { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] },
        },
      },
    },
  },
  image: {
    summary: 'Image input, for vision models',
    value: {
      ...settings,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
          ],
        },
      ],
    },
  },
};

const RESPONSE_ID = `resp_${'4b1d'.repeat(20)}`;
const usage = {
  input_tokens: 24,
  output_tokens: 9,
  total_tokens: 33,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
};

const snapshot = (state: Partial<ResponseState>): Schema => ({
  ...responseResource(requestEcho(settings), {
    id: RESPONSE_ID,
    created_at: 1790000000,
    completed_at: null,
    status: 'in_progress',
    incomplete_details: null,
    model: 'tiny',
    output: [],
    error: null,
    usage: null,
    ...state,
  }),
});

const completed = (output: readonly OutputItem[]): Schema =>
  snapshot({ status: 'completed', completed_at: 1790000001, output, usage });

const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] }) as const;
const message = (text: string): OutputItem => ({
  type: 'message',
  id: 'msg_7f3c',
  status: 'completed',
  role: 'assistant',
  content: [part(text)],
});

export const responsesApiResponses: Readonly<Record<string, RequestExample>> = {
  text: { summary: 'Text', value: completed([message('Hello! How can I help you today?')]) },
  tools: { summary: 'A function call', value: completed([{ ...call, id: 'fc_7f3c', status: 'completed' }]) },
};

const place = { item_id: 'msg_7f3c', output_index: 0, content_index: 0 };
const events: readonly (readonly [type: string, fields: object])[] = [
  ['response.created', { response: snapshot({}) }],
  ['response.in_progress', { response: snapshot({}) }],
  ['response.output_item.added', { output_index: 0, item: { ...message(''), status: 'in_progress', content: [] } }],
  ['response.content_part.added', { ...place, part: part('') }],
  ['response.output_text.delta', { ...place, delta: 'Hello!', logprobs: [] }],
  ['response.output_text.done', { ...place, text: 'Hello!', logprobs: [] }],
  ['response.content_part.done', { ...place, part: part('Hello!') }],
  ['response.output_item.done', { output_index: 0, item: message('Hello!') }],
  ['response.completed', { response: completed([message('Hello!')]) }],
];

export const responsesStream = events
  .map(
    ([type, fields], index) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: index, ...fields })}\n\n`,
  )
  .concat('data: [DONE]\n\n')
  .join('');
