import { describe, expect, test } from '@jest/globals';
import { Lab, nothingLeft } from '../../../../test/support/relay/inference.harness.js';
import { alone, last } from '../../../../test/support/relay/request-outcomes.js';
import type { ApiKeyId } from '../../../kernel/ids.js';
import { noKeyLimits } from '../../platform/access/caller.js';

const concurrent = (concurrency: number) => ({ limits: { ...noKeyLimits, concurrency } });
const tokens = { limits: { ...noKeyLimits, tokensPerMinute: 60 } };

describe('a request under limits', () => {
  test('is refused before it waits for anything', () => {
    const lab = new Lab(alone);
    lab.send({}, {}, concurrent(2));
    const waiting = lab.send({}, {}, concurrent(2));
    const refused = lab.send({}, {}, concurrent(2));
    expect(waiting.seen).toEqual([]);
    expect(refused.error).toMatchObject({ code: 'rate_limit_exceeded', status: 429, shouldRetry: true });
    expect(refused.reports).toMatchObject([{ outcome: 'rejected', attempts: 0, code: 'rate_limit_exceeded' }]);
    expect(lab.context.queue.size).toBe(1);
  });

  test('tells what is left from its first byte on, also beside what the node tells', () => {
    const lab = new Lab(alone);
    const { request } = lab.send({}, {}, concurrent(2));
    expect(request.headers()).toMatchObject({ ratelimit: '"key-concurrency";r=1' });
    last(lab).ack().begin();
    expect(request.headers()).toMatchObject({ ratelimit: '"key-concurrency";r=1' });
  });

  test('says nothing about limits where there are none', () => {
    const lab = new Lab(alone);
    const { request } = lab.send();
    last(lab).ack().begin();
    expect(Object.keys(request.headers()).filter((name) => name.includes('ratelimit'))).toEqual([]);
  });

  test.each<[string, (lab: Lab, leave: () => void) => void]>([
    ['completed', (lab) => last(lab).ack().begin().data().end()],
    ['failed', (lab) => last(lab).ack().end('failed', { code: 'engine_error' })],
    ['left by its client', (_, leave) => leave()],
    ['refused by its only node', (lab) => last(lab).reject('draining')],
  ])('gives its place back when it is %s', (_, act) => {
    const lab = new Lab(alone);
    const client = lab.send({}, {}, concurrent(1));
    act(lab, () => {
      client.leave();
    });
    const next = lab.send({}, {}, concurrent(1));
    expect(next.seen).toEqual([]);
    next.leave();
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('that no node was given the prompt of pays no tokens', () => {
    const lab = new Lab(alone);
    for (let request = 0; request < 20; request += 1) {
      lab.send({}, {}, tokens);
      last(lab).reject('draining');
    }
    expect(lab.clients.map(({ error }) => error?.code)).not.toContain('rate_limit_exceeded');
  });

  test('that was stopped pays what its node says it had used by then', () => {
    const lab = new Lab({ ...alone, confirming: true });
    const client = lab.send({}, {}, tokens);
    last(lab).ack().begin();
    client.leave();
    last(lab).stopped(999);
    // 1,000 tokens at 60 a minute, 60 of them in the bucket.
    expect(lab.send({}, {}, tokens).error).toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 941 });
  });
});

describe('keys that wait for the same slots', () => {
  test('take turns, whoever came first with how many', () => {
    const lab = new Lab(alone);
    const send = (key: string) => lab.send({}, {}, { keyPublicId: key as ApiKeyId });
    send('flood');
    const flood = [send('flood'), send('flood'), send('flood')];
    const small = send('small');
    for (let turn = 0; turn < 2; turn += 1) {
      lab.pass(1_000);
      last(lab).ack().begin().end();
    }
    last(lab).ack().begin().data();
    lab.pass(100);
    expect([...flood, small].filter(({ seen }) => seen.includes('complete'))).toHaveLength(1);
    expect([flood[0], small].every((client) => client!.seen.length > 0)).toBe(true);
  });
});
