import type { RequestExample } from '../../document.js';

export const embeddingsRequests: Readonly<Record<string, RequestExample>> = {
  text: { summary: 'One text', value: { model: 'all-minilm', input: 'A relay forwards requests.' } },
  list: {
    summary: 'Several texts, as the official clients ask',
    value: {
      model: 'all-minilm',
      input: ['A relay forwards requests.', 'A ferry crosses a river.'],
      encoding_format: 'base64',
    },
  },
};

export const embeddingsResponses: Readonly<Record<string, RequestExample>> = {
  text: {
    summary: 'One vector, shortened here',
    value: {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.0184, -0.0531, 0.0072] }],
      model: 'all-minilm',
      usage: { prompt_tokens: 6, total_tokens: 6 },
    },
  },
};
