import { describe, expect, test } from '@jest/globals';
import { InferenceHarness, nothingLeft } from '../../../../test/support/relay/inference.harness.js';
import { alone } from '../../../../test/support/relay/request-outcomes.js';
import type { ApiKeyId } from '../../../kernel/ids.js';
import { noKeyLimits } from '../../platform/access/caller.js';

const concurrent = (concurrency: number) => ({ limits: { ...noKeyLimits, concurrency } });
const tokens = { limits: { ...noKeyLimits, tokensPerMinute: 60 } };

describe('a request under limits', () => {
  test('a request under limits is refused before it waits for anything', () => {
    const harness = new InferenceHarness(alone);
    harness.send({}, {}, concurrent(2));
    const waiting = harness.send({}, {}, concurrent(2));
    const refused = harness.send({}, {}, concurrent(2));
    expect(waiting.seen).toEqual([]);
    expect(refused.error).toMatchObject({ code: 'rate_limit_exceeded', status: 429, shouldRetry: true });
    expect(refused.reports).toMatchObject([{ outcome: 'rejected', attempts: 0, code: 'rate_limit_exceeded' }]);
    expect(harness.context.queue.size).toBe(1);
  });

  test('a request under limits has remaining counts in its headers, beside those of the node', () => {
    const harness = new InferenceHarness(alone);
    const { request } = harness.send({}, {}, concurrent(2));
    expect(request.headers()).toMatchObject({ ratelimit: '"key-concurrency";r=1' });
    harness.last.ack().begin();
    expect(request.headers()).toMatchObject({ ratelimit: '"key-concurrency";r=1' });
  });

  test('a request under limits has no limit headers without limits', () => {
    const harness = new InferenceHarness(alone);
    const { request } = harness.send();
    harness.last.ack().begin();
    expect(Object.keys(request.headers()).filter((name) => name.includes('ratelimit'))).toEqual([]);
  });

  test.each<[string, (harness: InferenceHarness, leave: () => void) => void]>([
    ['completed', (harness) => harness.last.ack().begin().data().end()],
    ['failed', (harness) => harness.last.ack().end('failed', { code: 'engine_error' })],
    ['left by its client', (_, leave) => leave()],
    ['refused by its only node', (harness) => harness.last.reject('draining')],
  ])('frees its slot when it is %s', (_, act) => {
    const harness = new InferenceHarness(alone);
    const client = harness.send({}, {}, concurrent(1));
    act(harness, () => {
      client.leave();
    });
    const next = harness.send({}, {}, concurrent(1));
    expect(next.seen).toEqual([]);
    next.leave();
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('a request under limits that reached no node is charged no tokens', () => {
    const harness = new InferenceHarness(alone);
    for (let request = 0; request < 20; request += 1) {
      harness.send({}, {}, tokens);
      harness.last.reject('draining');
    }
    expect(harness.clients.map(({ error }) => error?.code)).not.toContain('rate_limit_exceeded');
  });

  test('a request under limits that was cancelled is charged the usage reported by its node', () => {
    const harness = new InferenceHarness({ ...alone, confirming: true });
    const client = harness.send({}, {}, tokens);
    harness.last.ack().begin();
    client.leave();
    harness.last.stopped(999);
    // 1,000 tokens at 60 a minute, 60 of them in the bucket.
    expect(harness.send({}, {}, tokens).error).toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 941 });
  });
});

describe('keys that wait for the same slots', () => {
  test('keys that wait for the same slots take turns', () => {
    const harness = new InferenceHarness(alone);
    const send = (key: string) => harness.send({}, {}, { keyPublicId: key as ApiKeyId });
    send('flood');
    const flood = [send('flood'), send('flood'), send('flood')];
    const small = send('small');
    for (let turn = 0; turn < 2; turn += 1) {
      harness.pass(1_000);
      harness.last.ack().begin().end();
    }
    harness.last.ack().begin().data();
    harness.pass(100);
    expect([...flood, small].filter(({ seen }) => seen.includes('complete'))).toHaveLength(1);
    expect([flood[0], small].every((client) => client!.seen.length > 0)).toBe(true);
  });
});
