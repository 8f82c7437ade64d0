/** A request together with what writes its whole response to the client: which of the two is waiting decides about the timers. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HarnessClient } from '../../../../test/support/relay/harness-client.js';
import { InferenceHarness, nothingLeft } from '../../../../test/support/relay/inference.harness.js';
import { createWriter } from '../../../../test/support/relay/http-server-options.js';
import { Loopback, RawClient } from '../../../../test/support/network/loopback.js';
import { eventually } from '../../../../test/support/clock/eventually.js';
import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import { JsonResponse } from '../../platform/http/json-response.js';

const RESPONSE = '{"id":"abc"}';

describe('a whole answer', () => {
  let harness: InferenceHarness;
  let asked: HarnessClient;
  let loopback: Loopback;
  let reader: RawClient;

  beforeEach(async () => {
    harness = new InferenceHarness();
    loopback = await Loopback.start((_request, response) => {
      asked = harness.prepare({ stream: false });
      const result = new JsonResponse(asked.request, { slowClientTimeoutMs: 60_000 }, harness.wheel);
      result.send(response, 200, createWriter).catch((error: unknown) => {
        const { status, code } = error as FerryError;
        response.writeHead(status).end(code);
      });
    });
    reader = await RawClient.request(loopback.port, ['GET / HTTP/1.1', 'Host: relay']);
    await eventually('a node is asked', () => harness.streams.length === 1);
  });

  afterEach(async () => {
    reader.socket.destroy();
    await loopback.close();
  });

  it('a whole answer without an end fails when its node has been silent for the event idle timeout', async () => {
    const stream = harness.streams[0]!.ack().begin(RESPONSE.length).data(RESPONSE);
    harness.pass(harness.context.limits.eventIdleTimeoutMs - 1_000);
    expect({ resets: stream.resets, reports: asked.reports.length }).toEqual({ resets: [], reports: 0 });
    harness.pass(1_000);
    expect(stream.resets).toEqual(['timed_out']);
    expect(asked.reports.map(({ outcome }) => outcome)).toEqual(['timed_out']);
    await reader.until('engine_timeout');
    expect(reader.status).toBe(503);
    expect(reader.received).not.toContain(RESPONSE);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  it('a whole answer with a late end in time completes', async () => {
    const stream = harness.streams[0]!.ack().begin(RESPONSE.length).data(RESPONSE);
    harness.pass(harness.context.limits.eventIdleTimeoutMs - 1_000);
    stream.end();
    await reader.until(RESPONSE);
    expect(reader.status).toBe(200);
    expect(asked.reports.map(({ outcome }) => outcome)).toEqual(['completed']);
  });
});
