/** Nothing piles up in the relay, and nobody waits behind a big neighbour (design §6, performance §3b and §5). */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { eventsOf } from '../support/event-stream.js';
import { FakeEngine, type FakeCall } from '../support/fake-engine.js';
import { TestNode } from '../support/node.js';
import { residentBytes } from '../support/process-memory.js';
import { TestRelay } from '../support/relay.js';

const MEBIBYTE = 1_048_576;
const hello = (content: string): Record<string, unknown> => ({
  model: 'fake',
  stream: true,
  messages: [{ role: 'user', content }],
});

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

describe('flow control', () => {
  let relay: TestRelay;
  let node: TestNode;
  let engine: FakeEngine;

  beforeAll(async () => {
    relay = await TestRelay.start();
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 64 }],
    });
  }, 60_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    await relay.stop();
  }, 30_000);

  /** Asks for a stream over a bare socket and never reads the answer. */
  const unreadStream = async (): Promise<Socket> => {
    const { hostname, port } = new URL(relay.baseUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    socket.pause();
    const body = JSON.stringify(hello('flood'));
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${relay.apiKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    return socket;
  };

  it('holds at most its windows for a client that stops reading, while the engine waits', async () => {
    const clients = 20;
    const streamBytes = 64 * MEBIBYTE;
    const piece = 'x'.repeat(8_192);
    let written = 0;
    engine.answer = async (call) => {
      call.startStream();
      for (let sent = 0; sent < streamBytes && !call.gone; sent += piece.length) {
        written += piece.length;
        if (!call.chunk({ content: piece })) await call.drained();
      }
    };
    const before = residentBytes(relay.pid);
    const sockets = await Promise.all(Array.from({ length: clients }, unreadStream));
    let last = -1;
    await eventually('the engines are held back', async () => {
      if (written === last && written > 0) return true;
      last = written;
      await delay(500);
      return false;
    });
    const grown = residentBytes(relay.pid) - before;
    const perClient = written / clients;
    process.stderr.write(
      `unread streams: ${clients}, relay +${(grown / MEBIBYTE).toFixed(1)} MiB, ${(perClient / MEBIBYTE).toFixed(1)} MiB of ${streamBytes / MEBIBYTE} taken from the engine each\n`,
    );
    expect(grown).toBeLessThan(50 * MEBIBYTE);
    expect(perClient).toBeLessThan(streamBytes / 2);
    for (const socket of sockets) socket.destroy();
    await eventually('every engine call was aborted', () => engine.calls.every((call) => call.gone));
  }, 60_000);

  it("does not delay another stream's tokens by more than 20 ms while 16 MiB are uploaded", async () => {
    const tokens = 200;
    const pace = 10;
    const paced = async (call: FakeCall): Promise<void> => {
      call.startStream();
      for (let index = 0; index < tokens; index += 1) {
        call.chunk({ content: String(performance.now()) });
        await delay(pace);
      }
      call.finish();
    };
    engine.answer = (call) => {
      if (call.raw.length > MEBIBYTE) call.finishEmptyStream();
      else return paced(call);
    };
    const transit = async (): Promise<number[]> => {
      const late: number[] = [];
      for await (const { text, atMs } of eventsOf(await relay.chat(hello('paced')))) {
        const sent = /"content":"([\d.]+)"/.exec(text)?.[1];
        if (sent !== undefined) late.push(atMs - Number(sent));
      }
      return late;
    };
    await transit();
    const alone = percentile(await transit(), 0.99);
    const body = JSON.stringify(hello('a'.repeat(16 * MEBIBYTE - 200)));
    let uploads = 0;
    const stream = transit();
    let streaming = true;
    void stream.finally(() => (streaming = false));
    while (streaming) {
      const response = await relay.fetch('/v1/chat/completions', { method: 'POST', body });
      expect(response.status).toBe(200);
      await response.text();
      uploads += 1;
    }
    const beside = percentile(await stream, 0.99);
    process.stderr.write(
      `transit p99 alone ${alone.toFixed(1)} ms, beside ${uploads} uploads of 16 MiB ${beside.toFixed(1)} ms\n`,
    );
    expect(beside - alone).toBeLessThan(20);
  }, 60_000);
});
