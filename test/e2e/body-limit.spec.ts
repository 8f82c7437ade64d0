/** docs/reference/public-api.md#body-size: exactly 16 MiB for the complete prepared body, however it is sent. */
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

const LIMIT = 16 * 1024 * 1024;

const head = '{"model":"fake","messages":[{"role":"user","content":"';
const tail = '"}]}';
const contentBytes = (bodyBytes: number): number => bodyBytes - head.length - tail.length;
const bodyOf = (bytes: number): Buffer => Buffer.from(head + 'a'.repeat(contentBytes(bytes)) + tail);

describe('the request body limit', () => {
  let relay: Tenant;
  let engine: FakeEngine;

  let node: TestNode;

  shareRelay((shared) => (relay = shared));

  beforeAll(async () => {
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url }] });
  }, 60_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
  }, 30_000);

  const post = (body: Buffer, chunked: boolean): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${relay.apiKey}`, 'content-type': 'application/json' };
      const sender = request(
        `${relay.baseUrl}/v1/chat/completions`,
        { method: 'POST', headers: chunked ? headers : { ...headers, 'content-length': body.length } },
        (response: IncomingMessage) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () => {
            resolve({ status: response.statusCode ?? 0, text });
          });
        },
      );
      // The relay may close the connection while we still send; the complete response must have arrived before.
      sender.on('error', (error) => setTimeout(() => reject(error), 500).unref());
      if (chunked) for (let at = 0; at < body.length; at += 65_536) sender.write(body.subarray(at, at + 65_536));
      else sender.write(body);
      sender.end();
    });

  it.each([
    ['with Content-Length', false],
    ['chunked', true],
  ])(
    'accepts 16,777,216 bytes %s, and forwards all of them to the engine',
    async (_name, chunked) => {
      const before = engine.calls.length;
      const response = await post(bodyOf(LIMIT), chunked);
      expect(response.status).toBe(200);
      expect(engine.calls).toHaveLength(before + 1);
      const { messages } = engine.calls.at(-1)!.body as { messages: { content: string }[] };
      expect(messages[0]!.content).toHaveLength(
        LIMIT - bodyOf(1_000).length + 1_000 - '{"model":"fake","messages":[{"role":"user","content":""}]}'.length,
      );
    },
    30_000,
  );

  it.each([
    ['with Content-Length', false],
    ['chunked', true],
  ])(
    'refuses 16,777,217 bytes %s with a complete 413',
    async (_name, chunked) => {
      const before = engine.calls.length;
      const response = await post(bodyOf(LIMIT + 1), chunked);
      expect(response.status).toBe(413);
      expect(JSON.parse(response.text)).toMatchObject({
        error: { type: 'invalid_request_error', code: 'request_too_large' },
      });
      expect(engine.calls).toHaveLength(before);
    },
    30_000,
  );
});
