/**
 * An OpenAI-compatible engine that costs as little as possible and answers as the request's `bench` field says. Every streamed event
 * carries the time at which it was handed to the socket. One timer drives all paced streams.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { monotonicMicros } from '../monotonic.js';

export interface BenchOrder {
  readonly events: number;
  /** 0: as fast as the socket takes them. */
  readonly intervalMs: number;
  /** Filler per event, so that events have a realistic size. */
  readonly padBytes: number;
}

const MODEL = 'bench';
const TICK_MS = 1;

interface PacedStream {
  readonly response: ServerResponse;
  readonly order: BenchOrder;
  sent: number;
  dueAtMs: number;
}

const paced = new Set<PacedStream>();

const eventText = (padding: string, finish: string | null): string =>
  `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"${MODEL}","choices":[{"index":0,"delta":{"content":"@${monotonicMicros()}@${padding}"},"finish_reason":${finish === null ? 'null' : `"${finish}"`}}]}\n\n`;

const end = (response: ServerResponse): void => {
  response.end(`${eventText('', 'stop')}data: [DONE]\n\n`);
};

setInterval(() => {
  const now = performance.now();
  for (const stream of paced) {
    while (stream.dueAtMs <= now && stream.sent < stream.order.events) {
      stream.response.write(eventText('x'.repeat(stream.order.padBytes), null));
      stream.sent += 1;
      stream.dueAtMs += stream.order.intervalMs;
    }
    if (stream.sent >= stream.order.events) {
      paced.delete(stream);
      end(stream.response);
    }
  }
}, TICK_MS);

/** One event per turn of the event loop, as engines write them: a burst that is one big buffer would measure only copying. */
async function burst(response: ServerResponse, order: BenchOrder): Promise<void> {
  const padding = 'x'.repeat(order.padBytes);
  for (let sent = 0; sent < order.events && !response.destroyed; sent += 1) {
    if (!response.write(eventText(padding, null))) {
      await new Promise<void>((resolve) => {
        response.once('drain', resolve).once('close', resolve);
      });
    }
    await setImmediate();
  }
  end(response);
}

const wholeAnswer = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: MODEL,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello there, this is a short answer.' },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 },
});
const models = JSON.stringify({
  object: 'list',
  data: [{ id: MODEL, object: 'model', created: 1, owned_by: 'bench' }],
});

const server = createServer({ keepAliveTimeout: 300_000 }, (request, response) => {
  if (request.method === 'GET') {
    const known = request.url?.endsWith('/models') === true;
    response
      .writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
      .end(known ? models : '{"error":{"message":"no"}}');
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString('latin1');
    const order = /"bench":(\{[^}]*\})/.exec(text)?.[1];
    if (order === undefined) {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': wholeAnswer.length })
        .end(wholeAnswer);
      return;
    }
    const parsed = JSON.parse(order) as BenchOrder;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    if (parsed.intervalMs === 0) {
      void burst(response, parsed);
      return;
    }
    // Spread the streams over the interval: a thousand events in one tick would measure the tick, not the relay.
    const stream = { response, order: parsed, sent: 0, dueAtMs: performance.now() + Math.random() * parsed.intervalMs };
    paced.add(stream);
    response.on('close', () => paced.delete(stream));
  });
});

server.listen(Number(process.env['BENCH_PORT'] ?? 0), '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit(0));
