import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountId } from '../../../src/kernel/ids.js';
import { BodyBudget } from '../../../src/relay/platform/http/body/body-budget.js';
import type { BodyLimits } from '../../../src/relay/platform/http/body/body-reader.js';
import { JsonBodyReader } from '../../../src/relay/platform/http/body/json-body-reader.js';
import { JsonParser } from '../../../src/relay/platform/http/body/json-parser.js';
import type { ParsedBody } from '../../../src/relay/platform/http/body/parsed-body.js';
import { ClientDisconnectedError } from '../../../src/relay/platform/http/errors/client-disconnected-error.js';
import { serializeOpenAiError } from '../../../src/relay/platform/http/errors/openai-error.js';
import { toFerryError } from '../../../src/relay/platform/http/errors/to-ferry-error.js';
import { contextOf } from '../../../src/relay/platform/http/request-context.js';
import { requestIdOf } from '../../../src/relay/platform/http/request-id.js';
import { sendCompleteResponse } from '../../../src/relay/platform/http/send-response.js';
import { createHttpServer } from '../../../src/relay/platform/http/server/create-http-server.js';
import { httpServerOptions } from './http-server-options.js';
import { Loopback } from '../network/loopback.js';

export const bodyLimits: BodyLimits = {
  limitBytes: 16_777_216,
  inflateRatioLimit: 100,
  depthLimit: 64,
  tokenLimit: 1_000_000,
  uploadFloorBytesPerSecond: 0,
  uploadFloorWindowMs: 30_000,
};

const BODY_ARRIVES_MS = 20;

export interface BodyServerOptions {
  readonly limits?: Partial<BodyLimits>;
  readonly totalBytes?: number;
  readonly perAccountBytes?: number;
  readonly lingerMs?: number;
  /**
   * Waits before a body is read, as a guard that looks something up does: a small one is there by then. `microtask`: it is there, but Node
   * has not seen its end.
   */
  readonly readsLater?: boolean | 'microtask';
  /** Handles a body that was read; default: 200 with its size. */
  readonly onBody?: (body: ParsedBody, req: IncomingMessage, res: ServerResponse) => void;
}

/** The relay's HTTP server with only its body reader. The header `x-account` selects the account. */
export class BodyServer {
  readonly budget: BodyBudget;
  readonly bodies: ParsedBody[] = [];
  gone = 0;
  /** Bytes read from the sockets of closed connections. */
  bytesRead = 0;
  loopback!: Loopback;
  private readonly parser = new JsonParser(1_048_576);

  private constructor(private readonly options: BodyServerOptions) {
    this.budget = new BodyBudget({
      totalBytes: options.totalBytes ?? 268_435_456,
      perAccountBytes: options.perAccountBytes ?? 67_108_864,
    });
  }

  static async start(options: BodyServerOptions = {}): Promise<BodyServer> {
    const server = new BodyServer(options);
    const http = createHttpServer((req, res) => void server.handle(req, res), {
      ...httpServerOptions,
      linger: { ms: options.lingerMs ?? 300, bytes: 65_536 },
    });
    http.on('connection', (socket) => {
      socket.on('close', () => (server.bytesRead += socket.bytesRead));
    });
    server.loopback = await Loopback.start(http);
    return server;
  }

  get port(): number {
    return this.loopback.port;
  }

  async close(): Promise<void> {
    await this.loopback.close();
    await this.parser.close();
  }

  private async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const account = req.headers['x-account'];
    if (typeof account === 'string') contextOf(req).accountId = account as AccountId;
    const reader = new JsonBodyReader({ ...bodyLimits, ...this.options.limits }, this.budget, this.parser);
    try {
      if (req.url === '/unread') throw new Error('refused without reading');
      if (this.options.readsLater === true) await delay(BODY_ARRIVES_MS);
      else if (this.options.readsLater === 'microtask') await Promise.resolve();
      const body = await reader.read(req, res);
      this.bodies.push(body);
      if (this.options.onBody === undefined)
        sendCompleteResponse(res, { status: 200, headers: {}, body: String(body.raw.byteLength) });
      else this.options.onBody(body, req, res);
    } catch (error) {
      if (error instanceof ClientDisconnectedError) this.gone += 1;
      else sendCompleteResponse(res, serializeOpenAiError(toFerryError(error), requestIdOf(res)));
    }
  }
}
