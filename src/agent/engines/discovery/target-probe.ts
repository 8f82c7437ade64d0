import { Agent } from 'undici';

/** A local port answers or refuses at once; a slower one is busy or behind a firewall. */
const CONNECT_TIMEOUT_MS = 1_000;
const RESPONSE_TIMEOUT_MS = 2_500;
const RESPONSE_LIMIT_BYTES = 8 * 1024 * 1024;
const IDLE_CONNECTION_MS = 1_000;
const CONNECTIONS_PER_TARGET = 16;

export interface TargetResponse {
  readonly status: number;
  /** The `Server` header. */
  readonly server: string;
  readonly text: string;
}

/** GETs without credentials and without following redirects. Nothing else: an inference request would make some engines load a model. */
export class TargetProbe {
  private readonly agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    connections: CONNECTIONS_PER_TARGET,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    headersTimeout: RESPONSE_TIMEOUT_MS,
    bodyTimeout: RESPONSE_TIMEOUT_MS,
  });

  constructor(private readonly userAgent: string) {}

  /** @param path from the root; the base's own path comes before it. @throws when there is no response, in time or at all */
  async get(base: URL, path: string): Promise<TargetResponse> {
    const prefix = base.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
    const { statusCode, headers, body } = await this.agent.request({
      origin: base.origin,
      path: prefix + path,
      method: 'GET',
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': this.userAgent },
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    // An aborted body emits an error, which would end the process without a listener; the reader gets it as well.
    body.on('error', () => undefined);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > RESPONSE_LIMIT_BYTES) throw new Error(`the answer to ${path} is too large`);
      chunks.push(chunk);
    }
    const server = headers['server'];
    return {
      status: statusCode,
      server: (Array.isArray(server) ? server[0] : server) ?? '',
      text: Buffer.concat(chunks).toString('utf8'),
    };
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}
