/** An OpenAI-compatible engine that fails as the prompt asks it to: `FAULT ID`. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fault = 'none' | 'reset' | 'early-end' | 'endless' | 'no-event' | 'no-head' | 'busy';

export const MODEL = 'bench';
const EVENTS_BEFORE = 2;
const EVENT_INTERVAL_MS = 50;

/** A request that has reached the engine. */
interface Run {
  /** `performance.now()` when its connection ended before the response did; undefined: it still runs, or has ended in order. */
  abandonedAtMs: number | undefined;
}

export class FaultyEngine {
  private readonly runs = new Map<string, Run>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FaultyEngine> {
    const server = createServer();
    const engine = new FaultyEngine(server);
    server.on('request', (request, response) => {
      engine.respond(request, response).catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return engine;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  runOf(id: string): Run | undefined {
    return this.runs.get(id);
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      const listed = request.url?.endsWith('/models') === true;
      sendJson(response, listed ? 200 : 404, { object: 'list', data: [{ id: MODEL, object: 'model', created: 1 }] });
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { model, messages } = JSON.parse(Buffer.concat(parts).toString()) as {
      model: string;
      messages: readonly { content: string }[];
    };
    if (model !== MODEL) {
      sendJson(response, 404, { error: { message: `model ${model} not found`, type: 'not_found_error' } });
      return;
    }
    const [fault = 'none', id = ''] = (messages.at(-1)?.content ?? '').split(' ') as [Fault?, string?];
    const run: Run = { abandonedAtMs: undefined };
    this.runs.set(id, run);
    response.once('close', () => {
      if (!response.writableFinished) run.abandonedAtMs = performance.now();
    });
    await play(fault, response);
  }
}

async function play(fault: Fault, response: ServerResponse): Promise<void> {
  if (fault === 'no-head') return;
  if (fault === 'busy') {
    response.setHeader('retry-after', '1');
    sendJson(response, 503, { error: { message: 'all slots are busy', type: 'server_error' } });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  if (fault === 'no-event') return;
  for (let event = 0; fault === 'endless' || event < EVENTS_BEFORE; event += 1) {
    if (response.destroyed) return;
    response.write(chunk({ content: `word ${event} ` }));
    await new Promise((resolve) => setTimeout(resolve, EVENT_INTERVAL_MS));
  }
  if (fault === 'reset') response.socket?.resetAndDestroy();
  else if (fault === 'early-end') response.end();
  else response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
}

const chunk = (delta: object, finish: 'stop' | null = null): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: MODEL,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
