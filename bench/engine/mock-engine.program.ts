/**
 * A minimal-cost OpenAI-compatible engine; the request's `user` field specifies its response. Every streamed event carries the time at
 * which it was written to the socket. One timer drives all paced streams. It uses no HTTP library, and an event is one write of one short
 * string.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { MessageReader } from '../http1/message-reader.js';
import { STAMP_BYTES, stampNow } from '../stamp.js';
import { DueList } from './due-list.js';

export interface ResponseSpec {
  readonly events: number;
  /** 0: without delay. */
  readonly intervalMs: number;
  /** Filler that gives events a realistic size. */
  readonly padBytes: number;
}

const MODEL = 'bench';
const TICK_MS = 1;
/** The response is specified at the start of the body; the rest is only counted. */
const ORDER_WITHIN_BYTES = 400;

const BEFORE = `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"${MODEL}","choices":[{"index":0,"delta":{"content":"`;
const AFTER = `"},"finish_reason":null}]}\n\n`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const LAST = `${chunk(`${BEFORE}${AFTER.replace('null', '"stop"')}data: [DONE]\n\n`)}0\r\n\r\n`;
const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';

const json = (status: string, value: unknown): string => {
  const text = JSON.stringify(value);
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
};
const wholeResponse = json('200 OK', {
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
const models = json('200 OK', {
  object: 'list',
  data: [{ id: MODEL, object: 'model', created: 1, owned_by: 'bench' }],
});
const notFound = json('404 Not Found', { error: { message: 'no' } });

interface Stream {
  readonly socket: Socket;
  readonly spec: ResponseSpec;
  /** Text before and after the timestamp of each event, with the framing of its chunk. */
  readonly before: string;
  readonly after: string;
  sent: number;
  dueAtMs: number;
}

function writeEvent(stream: Stream): boolean {
  stream.sent += 1;
  return stream.socket.write(stream.before + stampNow() + stream.after, 'latin1');
}

const paced = new DueList<Stream>(performance.now());
setInterval(() => {
  const now = performance.now();
  for (const stream of paced.take(now)) {
    if (stream.socket.destroyed) continue;
    writeEvent(stream);
    stream.dueAtMs += stream.spec.intervalMs;
    if (stream.sent < stream.spec.events) paced.add(stream.dueAtMs, stream);
    else stream.socket.write(LAST, 'latin1');
  }
}, TICK_MS);

/** One event per turn of the event loop, like real engines: a burst in one large buffer would measure only copying. */
function burst(stream: Stream): void {
  const { socket, spec } = stream;
  if (socket.destroyed) return;
  if (stream.sent >= spec.events) {
    socket.write(LAST, 'latin1');
    return;
  }
  const again = (): void => {
    burst(stream);
  };
  if (writeEvent(stream)) setImmediate(again);
  else socket.once('drain', again);
}

function stream(socket: Socket, spec: ResponseSpec): void {
  const after = `${'x'.repeat(spec.padBytes)}${AFTER}`;
  const size = (BEFORE.length + STAMP_BYTES + after.length).toString(16);
  const begun = { socket, spec, before: `${size}\r\n${BEFORE}`, after: `${after}\r\n`, sent: 0, dueAtMs: 0 };
  socket.write(STREAM_HEAD, 'latin1');
  if (spec.intervalMs === 0) {
    burst(begun);
    return;
  }
  // Spread the streams over the interval: a thousand events in one tick would measure the tick instead of the relay.
  begun.dueAtMs = performance.now() + Math.random() * spec.intervalMs;
  paced.add(begun.dueAtMs, begun);
}

function response(socket: Socket, head: string, beginning: string): void {
  if (head.startsWith('get ')) {
    socket.write(/^get \S*\/models /.test(head) ? models : notFound, 'latin1');
    return;
  }
  const spec = /"user":"bench (\d+) ([\d.]+) (\d+)"/.exec(beginning);
  if (spec === null) {
    socket.write(wholeResponse, 'latin1');
    return;
  }
  const [, events, intervalMs, padBytes] = spec;
  stream(socket, { events: Number(events), intervalMs: Number(intervalMs), padBytes: Number(padBytes) });
}

const server = createServer({ noDelay: true }, (socket) => {
  let head = '';
  let beginning = '';
  const reader = new MessageReader('request', {
    head: (text) => {
      head = text;
      beginning = '';
      if (text.includes('\r\nexpect: 100-continue')) socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
    },
    body: (part) => {
      const wanted = ORDER_WITHIN_BYTES - beginning.length;
      if (wanted > 0) beginning += part.toString('latin1', 0, Math.min(wanted, part.length));
    },
    end: () => {
      response(socket, head, beginning);
    },
  });
  socket.on('data', (part: Buffer) => {
    reader.push(part);
  });
  socket.on('error', () => socket.destroy());
});

server.listen({ port: Number(process.env['BENCH_PORT'] ?? 0), host: '127.0.0.1', backlog: 4_096 }, () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit(0));
