/** Requests that the tests really send, and answers as they come back. */
import type { RequestExample } from '../../document.js';

export const completionsRequests: Readonly<Record<string, RequestExample>> = {
  text: { summary: 'Text', value: { model: 'tiny', prompt: 'Once upon a time', max_tokens: 16, temperature: 0 } },
  stream: {
    summary: 'Stream',
    value: { model: 'tiny', prompt: 'Once upon a time', max_tokens: 16, temperature: 0, stop: ['\n\n'], stream: true },
  },
};

const envelope = { id: 'cmpl-7f3c', object: 'text_completion', created: 1790000000, model: 'tiny' };

export const completionsResponses: Readonly<Record<string, RequestExample>> = {
  text: {
    summary: 'Text',
    value: {
      ...envelope,
      choices: [{ index: 0, text: ' there was a relay.', logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 },
    },
  },
};

const chunk = (text: string, finishReason: string | null): string =>
  `data: ${JSON.stringify({ ...envelope, choices: [{ index: 0, text, logprobs: null, finish_reason: finishReason }] })}\n\n`;

export const completionsStream = `${chunk(' there was', null)}${chunk(' a relay.', 'stop')}data: [DONE]\n\n`;
