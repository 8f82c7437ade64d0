/** The same question as each route takes it. */
import { weatherTool } from '../engines/engine-questions.js';
import type { Route } from './responses.js';

export const routes: readonly Route[] = ['chat', 'completions', 'responses', 'messages'];

export const pathOf: Readonly<Record<Route, string>> = {
  chat: '/v1/chat/completions',
  completions: '/v1/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
};

const { name, description, parameters } = weatherTool.function;

const tools: Readonly<Record<Route, readonly object[]>> = {
  chat: [weatherTool],
  completions: [],
  responses: [{ type: 'function', name, description, parameters }],
  messages: [{ name, description, input_schema: parameters }],
};

export interface Question {
  readonly prompt: string;
  readonly maxTokens: number;
  readonly weather?: boolean;
  readonly stream?: boolean;
}

/** @returns a body without its model */
export function bodyOf(route: Route, { prompt, maxTokens, weather = false, stream = false }: Question): object {
  const turns = [{ role: 'user', content: prompt }];
  const reported: Readonly<Record<Route, object>> = {
    chat: { messages: turns, max_tokens: maxTokens, ...(stream && { stream_options: { include_usage: true } }) },
    completions: { prompt, max_tokens: maxTokens, ...(stream && { stream_options: { include_usage: true } }) },
    responses: { input: prompt, max_output_tokens: maxTokens },
    messages: { messages: turns, max_tokens: maxTokens },
  };
  return {
    ...reported[route],
    temperature: 0,
    ...(weather && { tools: tools[route] }),
    ...(stream && { stream: true }),
  };
}

export const hello: Question = { prompt: 'Hello', maxTokens: 64 };
export const counting: Question = { prompt: 'Count to 8', maxTokens: 5 };
export const weather: Question = { prompt: 'What is the weather in Paris?', maxTokens: 64, weather: true };
export const thinking: Question = { prompt: 'What is the capital of Norway? /think', maxTokens: 128 };

/** `<|im_end|>`, with which a response of `tiny` ends. */
const LAST_TOKEN = '2';

/** A chat whose answer takes seconds. The bias has a fraction because `transformers serve` refuses whole numbers. */
export const story = (longResponse: object = { logit_bias: { [LAST_TOKEN]: -99.5 } }, maxTokens = 3_500): object => ({
  ...bodyOf('chat', { prompt: 'Tell me a story.', maxTokens, stream: true }),
  ...longResponse,
});

/** One pixel. */
export const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
