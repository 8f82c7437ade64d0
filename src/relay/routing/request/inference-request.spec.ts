import { describe, expect, test } from '@jest/globals';
import type { HarnessClient } from '../../../../test/support/relay/harness-client.js';
import { InferenceHarness } from '../../../../test/support/relay/inference.harness.js';
import { alone } from '../../../../test/support/relay/request-outcomes.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';

describe('messages to node and client', () => {
  test('OPEN carries names, the remaining time and the unchanged body', () => {
    const harness = new InferenceHarness({ ...alone, limits: { streamMaxAgeMs: 5_000 } });
    const client = harness.send({ model: 'tiny' });
    expect(harness.last.body.toString()).toBe('the body');
    expect(harness.last.head).toMatchObject({
      request_id: client.request.routed.context.requestId,
      dialect: 'chat',
      model_key: 'engine/tiny',
      public_model: 'tiny',
      stream: true,
      deadline_ms: 5_000,
      body_bytes: 8,
    });
  });

  test('a second run gets only the remaining time', () => {
    const harness = new InferenceHarness({ limits: { streamMaxAgeMs: 60_000 } });
    harness.send();
    harness.last.ack();
    harness.pass(20_000);
    harness.last.lose();
    expect(harness.last.head.deadline_ms).toBeLessThanOrEqual(40_000);
  });

  test('the body is released at the first event', () => {
    const harness = new InferenceHarness();
    const client = harness.send();
    harness.last.ack();
    expect(client.bodyReleases).toBe(0);
    harness.last.begin();
    expect(client.bodyReleases).toBe(1);
  });

  test('bytes pass unchanged, and consumed bytes become credit', () => {
    const harness = new InferenceHarness();
    const client = harness.send();
    const stream = harness.last.ack().begin();
    const bytes = Buffer.from('data: {}\n\n');
    stream.handler.onData(bytes, true);
    expect(client.items[0]).toBe(bytes);
    client.request.consumed(10);
    expect(stream.credited).toBe(10);
  });

  test('reading ahead reaches whoever reads the answer', () => {
    const harness = new InferenceHarness();
    const { request, items } = harness.send();
    const { handler } = harness.last.ack().begin();
    expect(handler.readAhead?.()).toEqual(expect.any(Number));
    let read = 0;
    request.reader({ readAhead: () => (read += 1) });
    handler.readAhead?.();
    expect(read).toBe(1);
    expect(items).toEqual([]);
  });

  test('a stream tracks event boundaries', () => {
    const harness = new InferenceHarness();
    const { request } = harness.send();
    const stream = harness.last.ack().begin();
    expect(request.atBoundary()).toBe(true);
    stream.data('half an ev', false);
    expect(request.atBoundary()).toBe(false);
    stream.data('ent', true);
    expect(request.atBoundary()).toBe(true);
    expect(request.contentLength()).toBeNull();
  });

  test('a whole body has one boundary, its end', () => {
    const harness = new InferenceHarness();
    const { request } = harness.send({ stream: false });
    const stream = harness.last.ack().begin(4);
    stream.data('ab', true);
    expect([request.atBoundary(), request.contentLength()]).toEqual([false, 4]);
    stream.data('cd', true);
    expect(request.atBoundary()).toBe(true);
  });

  test.each<[string, (harness: InferenceHarness, client: HarnessClient) => void, boolean | undefined]>([
    ['drained before any node was asked', () => undefined, true],
    ['drained after a node was asked', (harness) => void harness.last.ack(), false],
  ])('whether the client may repeat a request that was %s', (_, prepare, shouldRetry) => {
    const harness = new InferenceHarness(shouldRetry === true ? { nodes: { a: { slots: 0 } } } : {});
    const client = harness.send();
    prepare(harness, client);
    client.request.abort('failed', 'draining', 'The relay is shutting down.', 'draining');
    expect(client.error).toMatchObject({ code: 'draining', shouldRetry });
  });

  test('nothing starts while the gate is closed', () => {
    const harness = new InferenceHarness();
    harness.closed = new FerryError('draining');
    const client = harness.send();
    expect(client.error).toMatchObject({ code: 'draining', status: 503, shouldRetry: true });
    expect(client.reports).toMatchObject([{ outcome: 'rejected' }]);
    expect(harness.streams).toEqual([]);
    expect(client.bodyReleases).toBe(1);
  });

  test('an answer can be subscribed to once', () => {
    const harness = new InferenceHarness();
    const client = harness.send();
    const errors: unknown[] = [];
    client.request.bytes$.subscribe({ error: (error: unknown) => errors.push(error) });
    expect(errors).toHaveLength(1);
    expect(harness.streams).toHaveLength(1);
  });
});
