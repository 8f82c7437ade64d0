import { describe, expect, test } from '@jest/globals';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { completionsRequirements, readCompletionsEnvelope } from './envelope.js';

const requesting = { model: 'tiny', prompt: 'Once upon' };

const refusal = (json: unknown): FerryError => {
  try {
    readCompletionsEnvelope(json);
  } catch (error) {
    if (error instanceof FerryError) return error;
  }
  throw new Error('nothing was refused');
};

describe('a text completion request', () => {
  test('needs a model and a prompt', () => {
    expect(readCompletionsEnvelope(requesting)).toEqual({
      dialect: 'completions',
      model: 'tiny',
      stream: false,
      body: requesting,
    });
    expect(readCompletionsEnvelope({ ...requesting, stream: true })).toMatchObject({ stream: true });
  });

  test.each<[string, object]>([
    ['an empty prompt: the model begins by itself', { prompt: '' }],
    ['a list of prompts', { prompt: ['a', 'b'] }],
    ['tokens', { prompt: [1, 2] }],
    ['lists of tokens', { prompt: [[1, 2], [3]] }],
    ['null for every optional field', { stream: null, max_tokens: null, temperature: null, top_p: null, stop: null }],
    ['one stop text or several', { stop: ['a', 'b'] }],
    ['fields that only engines know', { suffix: 'x', echo: true, logprobs: 5, best_of: 3, keep_alive: '5m', n: 'x' }],
    ['a token limit of any size', { max_tokens: 1_000_000 }],
  ])('a text completion request may have %s', (_, fields) => {
    const body = { ...requesting, ...fields };
    expect(readCompletionsEnvelope(body).body).toBe(body);
  });

  test.each<[string, unknown, string]>([
    ['no prompt', { model: 'tiny' }, 'prompt'],
    ['a null prompt', { ...requesting, prompt: null }, 'prompt'],
    ['an empty list of prompts', { ...requesting, prompt: [] }, 'prompt'],
    ['a mixed list', { ...requesting, prompt: ['a', 1] }, 'prompt'],
    ['tokens that are none', { ...requesting, prompt: [1, -2] }, 'prompt'],
    ['an empty list of tokens', { ...requesting, prompt: [[1], []] }, 'prompt'],
    ['no model', { prompt: 'x' }, 'model'],
    ['an empty model', { ...requesting, model: ' ' }, 'model'],
    ['a stream that is no flag', { ...requesting, stream: 'true' }, 'stream'],
    ['half a token', { ...requesting, max_tokens: 1.5 }, 'max_tokens'],
    ['a temperature in words', { ...requesting, temperature: 'hot' }, 'temperature'],
    ['a probability in words', { ...requesting, top_p: '1' }, 'top_p'],
    ['a number to stop at', { ...requesting, stop: 1 }, 'stop'],
    ['a number among the stop texts', { ...requesting, stop: ['a', 1] }, 'stop[1]'],
  ])('a text completion request is refused with %s', (_, json, param) => {
    expect(refusal(json)).toMatchObject({ code: 'invalid_request', status: 400, param });
  });

  test.each([null, [], 'text', 1])('a text completion request must be a JSON object, not %j', (json) => {
    expect(refusal(json)).toMatchObject({ code: 'invalid_json', status: 400 });
  });
});

describe('requirements of a text completion', () => {
  test('requirements of a text completion are the route alone', () => {
    expect(completionsRequirements(requesting)).toMatchObject({
      hard: { inputs: new Map(), tools: null },
      soft: { logprobs: false, structuredOutput: false },
      remoteMedia: new Map(),
    });
  });

  test('prefer an engine that supports the optional fields', () => {
    expect(completionsRequirements({ ...requesting, logprobs: 0, guided_json: {} }).soft).toMatchObject({
      logprobs: true,
      structuredOutput: true,
    });
  });

  test('requirements of a text completion are read from any JSON without throwing', () => {
    expect(completionsRequirements({ response_format: 5, logprobs: {} }).soft).toMatchObject({
      logprobs: false,
      structuredOutput: false,
    });
  });
});
