import { describe, expect, it } from '@jest/globals';
import { failureInResponse, failureOfStatus } from './failures.js';
import { plainError } from './error-parser.js';

const responded = (status: number, error: object, retryAfter?: string) =>
  failureOfStatus({ status, retryAfter, text: JSON.stringify({ error }) }).failure;

describe("an engine's refusal before it has computed anything", () => {
  it.each<[string, number, object, string | undefined, object]>([
    [
      'too many requests',
      429,
      { message: 'slow down', code: 'rate_limited' },
      '7',
      { unavailable: 'busy', retry_after_seconds: 7, engine_code: 'rate_limited' },
    ],
    [
      'a model on its way into memory',
      503,
      { message: 'Loading model', code: 503 },
      undefined,
      { unavailable: 'loading' },
    ],
    ['a full queue', 503, { message: 'The request queue is full.' }, undefined, { unavailable: 'busy' }],
    ['a time to come back', 503, { message: 'maintenance' }, '30', { unavailable: 'busy', retry_after_seconds: 30 }],
  ])(
    "an engine's refusal before it has computed anything is told as such: %s",
    (_, status, error, retryAfter, expected) => {
      expect(responded(status, error, retryAfter)).toMatchObject({ status: 429, ...expected });
    },
  );

  it("an engine's refusal before it has computed anything may come within a 200", () => {
    expect(failureInResponse(plainError('Loading model', 503)).failure).toMatchObject({ unavailable: 'loading' });
  });

  it("an engine's refusal before it has computed anything is nothing else", () => {
    expect(responded(503, { message: 'CUDA error' })).toMatchObject({ code: 'engine_error', status: 503 });
    expect(responded(500, { message: 'Loading model failed' })).toMatchObject({ code: 'engine_error' });
    expect(responded(400, { message: 'no', code: 'bad_thing' })).toEqual({
      code: 'engine_rejected_request',
      status: 400,
      message: 'no',
      param: null,
      engine_code: 'bad_thing',
      retry_after_seconds: null,
    });
    expect(responded(404, { message: 'no', code: 'x\r\ny' })).not.toHaveProperty('engine_code');
  });
});
