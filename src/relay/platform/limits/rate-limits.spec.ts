import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, ApiKeyId } from '../../../kernel/ids.js';
import { noKeyLimits, type KeyLimits } from '../access/caller.js';
import { serializeAnthropicError, serializeOpenResponsesError } from '../http/errors/error-family.js';
import { serializeOpenAiError } from '../http/errors/openai-error.js';
import type { Permit } from './permit.js';
import { RateLimits } from './rate-limits.js';

class Gate {
  readonly clock = new ManualClock();
  readonly limits: RateLimits;

  constructor(
    readonly key: Partial<KeyLimits>,
    account: Partial<KeyLimits> = {},
  ) {
    this.limits = new RateLimits(this.clock, { ...noKeyLimits, ...account });
  }

  admit(estimatedTokens = 0, key = 'key_1'): Permit | null {
    return this.limits.admit({
      accountId: 'acc_1' as AccountId,
      keyPublicId: key as ApiKeyId,
      limits: { ...noKeyLimits, ...this.key },
      estimatedTokens,
    });
  }

  refused(estimatedTokens = 0, key?: string): FerryError {
    try {
      this.admit(estimatedTokens, key);
    } catch (error) {
      if (error instanceof FerryError) return error;
    }
    throw new Error('it was let in');
  }
}

const used = (tokens: number) => ({ input_tokens: tokens, output_tokens: 0 });

describe('requests per minute', () => {
  test('requests per minute allow a burst of the limit, then one per refill', () => {
    const gate = new Gate({ requestsPerMinute: 60 });
    for (let request = 0; request < 60; request += 1) gate.admit();
    expect(gate.refused()).toMatchObject({ code: 'rate_limit_exceeded', status: 429, retryAfterSeconds: 1 });
    gate.clock.advance(1_000);
    gate.admit();
    expect(gate.refused().retryAfterSeconds).toBe(1);
  });

  test('a limit of 3 admits three, with remaining counts and the wait in headers', () => {
    const gate = new Gate({ requestsPerMinute: 3 });
    const responses = [gate.admit(), gate.admit(), gate.admit()];
    const remaining = responses.map((permit) => permit?.headers['x-ratelimit-remaining-requests']);
    expect(remaining).toEqual(['2', '1', '0']);
    expect(gate.refused()).toMatchObject({
      retryAfterSeconds: 20,
      headers: { 'x-ratelimit-limit-requests': '3', 'x-ratelimit-remaining-requests': '0' },
    });
    gate.clock.advance(19_999);
    expect(gate.refused().retryAfterSeconds).toBe(1);
    gate.clock.advance(1);
    expect(gate.admit()?.headers['x-ratelimit-remaining-requests']).toBe('0');
  });

  test('a limit of 1 admits one per minute', () => {
    const gate = new Gate({ requestsPerMinute: 1 });
    gate.admit();
    expect(gate.refused().retryAfterSeconds).toBe(60);
    gate.clock.advance(60_000);
    gate.admit();
    gate.refused();
  });

  test('Retry-After is exact: a retry then is admitted, and one second earlier is not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), fc.array(fc.nat(20_000), { maxLength: 60 }), (limit, gaps) => {
        const gate = new Gate({ requestsPerMinute: limit });
        for (const gap of gaps) {
          gate.clock.advance(gap);
          try {
            gate.admit();
          } catch (error) {
            const seconds = (error as FerryError).retryAfterSeconds ?? 0;
            expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
            gate.clock.advance(seconds * 1_000);
            gate.admit();
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  test('over any minute at most the limit plus the burst are admitted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.array(fc.nat(2_000), { maxLength: 400 }), (limit, gaps) => {
        const gate = new Gate({ requestsPerMinute: limit });
        const admitted: number[] = [];
        for (const gap of gaps) {
          gate.clock.advance(gap);
          try {
            gate.admit();
            admitted.push(gate.clock.nowMs);
          } catch {
            continue;
          }
        }
        for (const from of admitted) {
          const inMinute = admitted.filter((at) => at >= from && at < from + 60_000).length;
          expect(inMinute).toBeLessThanOrEqual(2 * limit + 1);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('a refused request is not charged', () => {
    const gate = new Gate({ requestsPerMinute: 60 });
    for (let request = 0; request < 60; request += 1) gate.admit();
    for (let request = 0; request < 50; request += 1) gate.refused();
    gate.clock.advance(1_000);
    gate.admit();
  });
});

describe('tokens per minute', () => {
  test('tokens per minute are reserved at the start and corrected by actual usage', () => {
    const gate = new Gate({ tokensPerMinute: 1_000 });
    const permit = gate.admit(900);
    expect(permit?.headers['x-ratelimit-remaining-tokens']).toBe('100');
    permit?.charge(used(100));
    permit?.end();
    expect(gate.admit(0)?.headers['x-ratelimit-remaining-tokens']).toBe('900');
    permit?.charge(used(1_100));
    expect(gate.refused(0).retryAfterSeconds).toBe(7);
  });

  test('a prompt larger than the limit is admitted once, and delays the next', () => {
    const gate = new Gate({ tokensPerMinute: 600 });
    gate.admit(3_000)?.charge(used(3_000));
    expect(gate.refused(1).retryAfterSeconds).toBe(241);
  });
});

describe('concurrent requests', () => {
  test('a slot is freed once when a request ends', () => {
    const gate = new Gate({ concurrency: 2 });
    const first = gate.admit();
    gate.admit();
    expect(gate.refused().message).toContain('requests at once of this API key');
    first?.end();
    first?.end();
    gate.admit();
    gate.refused();
  });
});

describe('keys and accounts', () => {
  test('keys and accounts without limits nothing is counted', () => {
    expect(new Gate({}).admit(5)).toBeNull();
  });

  test('keys have their own limits, and the account has one over all its keys', () => {
    const gate = new Gate({ concurrency: 1 }, { concurrency: 2 });
    gate.admit(0, 'key_1');
    expect(gate.refused(0, 'key_1').message).toContain('this API key');
    gate.admit(0, 'key_2');
    expect(gate.refused(0, 'key_3').message).toContain('this account');
  });
});

describe('the 429', () => {
  const refusal = (): FerryError => {
    const gate = new Gate({ requestsPerMinute: 60, tokensPerMinute: 60_000, concurrency: 20 });
    for (let request = 0; request < 60; request += 1) gate.admit(100)?.end();
    gate.clock.advance(500);
    return gate.refused();
  };
  const headers = {
    'retry-after': '1',
    'x-should-retry': 'true',
    'ratelimit-policy':
      '"key-requests";q=60;w=60, "key-tokens";q=60000;w=60, "key-concurrency";q=20;qu="concurrent-requests"',
    ratelimit: '"key-requests";r=0;t=60, "key-tokens";r=54500;t=6, "key-concurrency";r=20',
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': '60s',
    'x-ratelimit-limit-tokens': '60000',
    'x-ratelimit-remaining-tokens': '54500',
    'x-ratelimit-reset-tokens': '6s',
  };
  const message = 'The limit of requests per minute of this API key is reached.';

  test('the 429 of chat, completions and models', () => {
    const error = serializeOpenAiError(refusal(), 'req_1');
    expect([error.status, error.headers]).toEqual([
      429,
      { 'content-type': 'application/json; charset=utf-8', ...headers },
    ]);
    expect(JSON.parse(error.body)).toMatchObject({
      error: { message, type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
    });
  });

  test('the 429 of responses', () => {
    const error = serializeOpenResponsesError(refusal(), 'req_1');
    expect([error.status, error.headers]).toMatchObject([429, headers]);
    expect(JSON.parse(error.body)).toMatchObject({ error: { message, code: 'rate_limit_exceeded' } });
  });

  test('the 429 of messages', () => {
    const error = serializeAnthropicError(refusal(), 'req_1');
    expect([error.status, error.headers]).toMatchObject([429, headers]);
    expect(JSON.parse(error.body)).toMatchObject({ type: 'error', error: { type: 'rate_limit_error', message } });
  });
});
