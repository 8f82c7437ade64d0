/**
 * Base of the fake engines: routes, a log of requests, and inference in the format of chat completions. Fakes are built from the engines'
 * documentation (`documented, not recorded`) unless stated otherwise.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export class FakeRequest {
  constructor(
    readonly method: string,
    readonly path: string,
    readonly query: URLSearchParams,
    readonly raw: Buffer,
    readonly response: ServerResponse,
  ) {}

  /** The parsed JSON body; an empty object for none. */
  get body(): Readonly<Record<string, unknown>> {
    return this.raw.length === 0 ? {} : (JSON.parse(this.raw.toString('utf8')) as Record<string, unknown>);
  }

  json(status: number, body: unknown): void {
    this.response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  startStream(contentType = 'text/event-stream'): void {
    this.response.writeHead(200, { 'content-type': contentType });
    this.response.flushHeaders();
  }

  event(data: unknown): void {
    this.response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
}

export type FakeRoute = (request: FakeRequest) => void | Promise<void>;

export class FakeServer {
  /** `GET /path` of every request, in order. */
  readonly asked: string[] = [];
  /** Accepts connections and answers nothing, as a process that was stopped. */
  hangs = false;
  private readonly routes = new Map<string, FakeRoute>();
  private stopped = false;

  private constructor(
    private readonly server: Server,
    private readonly otherwise: FakeRoute,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.take(request, response));
  }

  /** @param otherwise the engine's response for an unknown route */
  static async start(otherwise: FakeRoute): Promise<FakeServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeServer(server, otherwise);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** @param route such as `POST /models/load`; a final `*` segment matches any name */
  on(route: string, response: FakeRoute): void {
    this.routes.set(route, response);
  }

  /** Number of requests that run a model. */
  inferenceCalls(): number {
    return this.asked.filter((route) => /^POST .*\/(?:completions|responses|messages|api\/chat)$/.test(route)).length;
  }

  async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://engine');
    const method = incoming.method ?? 'GET';
    if (this.hangs) return;
    this.asked.push(`${method} ${pathname}`);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const request = new FakeRequest(method, pathname, searchParams, Buffer.concat(chunks), response);
    const route =
      this.routes.get(`${method} ${pathname}`) ?? this.routes.get(`${method} ${pathname.replace(/[^/]+$/, '*')}`);
    await (route ?? this.otherwise)(request);
  }
}
