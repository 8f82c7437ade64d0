/** A scripted OpenAI-compatible engine that records its requests. Only used to provoke faults. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** One inference request that reached the engine. */
export class FakeCall {
  readonly receivedAt = performance.now();
  /** Resolves with the time at which the caller disconnected before the response was complete. */
  readonly aborted: Promise<number>;
  /** The caller disconnected before the response was complete. */
  gone = false;
  /** Nothing more can be sent, whichever side ended it. */
  over = false;
  private readonly id = 'chatcmpl-fake';

  constructor(
    readonly url: string,
    readonly raw: Buffer,
    private readonly response: ServerResponse,
    readonly headers: IncomingHttpHeaders = {},
  ) {
    this.aborted = new Promise((resolve) => {
      response.on('close', () => {
        this.over = true;
        if (response.writableFinished) return;
        this.gone = true;
        resolve(performance.now());
      });
    });
  }

  get body(): Record<string, unknown> {
    return JSON.parse(this.raw.toString('utf8')) as Record<string, unknown>;
  }

  get streaming(): boolean {
    return this.body['stream'] === true;
  }

  startStream(): void {
    this.response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.response.flushHeaders();
  }

  write(text: string | Buffer): boolean {
    return this.response.write(text);
  }

  async drained(): Promise<void> {
    const over = new AbortController();
    const { signal } = over;
    // Remove the other listener: a test may wait thousands of times.
    const events = [once(this.response, 'drain', { signal }), once(this.response, 'close', { signal })];
    await Promise.race(events).finally(() => over.abort());
    await Promise.allSettled(events);
  }

  event(data: unknown): boolean {
    return this.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }

  chunk(delta: Record<string, unknown>, finishReason: string | null = null): boolean {
    return this.event({
      id: this.id,
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: '/secret/path/model.gguf',
      choices: [{ index: 0, delta, finish_reason: finishReason }],
    });
  }

  finish(finishReason = 'stop'): void {
    this.chunk({}, finishReason);
    this.event('[DONE]');
    this.end();
  }

  finishEmptyStream(): void {
    this.startStream();
    this.chunk({ role: 'assistant', content: '' });
    this.finish();
  }

  end(text?: string): void {
    this.response.end(text);
  }

  /** Destroys the connection. */
  destroy(): void {
    this.response.destroy();
  }

  json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
    this.response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }

  respond(status: number, contentType: string, body: string): void {
    this.response.writeHead(status, { 'content-type': contentType }).end(body);
  }

  redirect(location: string): void {
    this.response.writeHead(302, { location }).end();
  }

  completion(content: string): void {
    this.json(200, {
      id: this.id,
      object: 'chat.completion',
      created: 1_700_000_000,
      model: '/secret/path/model.gguf',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
  }
}

export interface FakeEngineOptions {
  readonly models?: readonly string[];
  /** Looks like an engine that loads models on demand (docs/reference/engines.md#engines-that-load-on-demand). */
  readonly loadsOnDemand?: boolean;
  /** Loads the model that a request names, and nothing in its responses to GETs shows that. */
  readonly loadsUnnoticed?: boolean;
  /** Absent: any free port. */
  readonly port?: number;
}

export class FakeEngine {
  readonly calls: FakeCall[] = [];
  /** Models that an inference request made resident; stays empty with a correct node. */
  readonly loads: string[] = [];
  models: readonly string[];
  respond: (call: FakeCall) => void | Promise<void> = (call) => {
    if (!call.streaming) {
      call.completion('Hello from the fake engine.');
      return;
    }
    call.startStream();
    call.chunk({ role: 'assistant', content: '' });
    call.chunk({ content: 'Hello from the fake engine.' });
    call.finish();
  };

  private readonly waiting: ((call: FakeCall) => void)[] = [];

  private constructor(
    private readonly server: Server,
    private readonly options: FakeEngineOptions,
  ) {
    this.models = options.models ?? ['fake'];
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.serve(request, response));
  }

  static async start(options: FakeEngineOptions = {}): Promise<FakeEngine> {
    const server = createServer();
    server.listen(options.port ?? 0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeEngine(server, options);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next request; call it before the request is sent. */
  nextCall(): Promise<FakeCall> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://engine').pathname;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === 'GET') {
      this.describe(path, response);
      return;
    }
    const call = new FakeCall(path, Buffer.concat(chunks), response, request.headers);
    if (this.options.loadsOnDemand === true || this.options.loadsUnnoticed === true)
      this.loads.push(String(call.body['model']));
    this.calls.push(call);
    this.waiting.shift()?.(call);
    await this.respond(call);
  }

  private describe(path: string, response: ServerResponse): void {
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (path === '/v1/models') {
      const data = this.models.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'library' }));
      json(200, { object: 'list', data });
    } else if (path === '/api/version' && this.options.loadsOnDemand === true) json(200, { version: '0.33.0' });
    else json(404, { error: { message: 'not found', type: 'not_found_error', param: null, code: null } });
  }
}
