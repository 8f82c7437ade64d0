import { describe, expect, it } from '@jest/globals';
import { withSinglePrompt } from './dialect-service.js';

describe('the prompt of a completions request', () => {
  it.each([
    ['{"prompt": ["Once \\u0022upon"] ,"seed":1e3}', '{"prompt": "Once \\u0022upon" ,"seed":1e3}'],
    ['{"prompt":[[1,2]]}', '{"prompt":[1,2]}'],
  ])('the prompt of a completions request is one where it is a list of one: %s', (json, expected) => {
    expect(withSinglePrompt(Buffer.from(json)).toString()).toBe(expected);
  });

  it.each([
    '{"prompt":"a"}',
    '{"prompt":["a","b"]}',
    '{"prompt":[7]}',
    '{"prompt":[]}',
    '{"model":"m"}',
    '{"prompt":["a"',
  ])('stays as it is otherwise: %s', (json) => {
    const body = Buffer.from(json);
    expect(withSinglePrompt(body)).toBe(body);
  });
});
