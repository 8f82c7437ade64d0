import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createAccountId } from '../../../../kernel/ids.js';
import type { BegunRequest } from './begun-requests.js';
import { InterruptedRequests } from './interrupted-requests.js';

const request = (key: string): BegunRequest => ({
  accountId: createAccountId(),
  digests: { key: Buffer.from(key), parameters: Buffer.alloc(0) },
  attempt: Buffer.from(`attempt of ${key}`),
});

describe('requests that a database was away for', () => {
  let away: boolean;
  let known: readonly Buffer[];
  let sent: string[][];
  let interruptions: InterruptedRequests;

  beforeEach(() => {
    jest.useFakeTimers();
    [away, known, sent] = [false, [], []];
    interruptions = new InterruptedRequests((requests) => {
      sent.push(requests.map(({ digests }) => digests.key.toString()));
      return away ? Promise.reject(new Error('Query read timeout')) : Promise.resolve(known);
    });
  });

  afterEach(() => {
    interruptions.stop();
    jest.useRealTimers();
  });

  it('requests that a database was away for are told to it until it knows them', async () => {
    away = true;
    const [one, two] = [request('one'), request('two')];
    interruptions.add(one);
    interruptions.add(two);
    await jest.advanceTimersByTimeAsync(1_100);
    expect(sent).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ]);
    away = false;
    known = [one.attempt];
    await jest.advanceTimersByTimeAsync(500);
    expect([interruptions.has(one), interruptions.has(two)]).toEqual([false, true]);
  });

  it('that it does not know are told again while a late statement may arrive, and then forgotten', async () => {
    interruptions.add(request('never arrived'));
    await jest.advanceTimersByTimeAsync(20_000);
    expect(interruptions.size).toBe(0);
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.length).toBeLessThan(15);
  });

  it('are told at once when their key is used again, also those that came while others were told', async () => {
    const [one, two] = [request('one'), request('two')];
    interruptions.add(one);
    const first = interruptions.settle();
    while (sent.length === 0) await Promise.resolve();
    interruptions.add(two);
    await Promise.all([first, interruptions.settle()]);
    expect(sent).toEqual([['one'], ['one', 'two']]);
  });
});
