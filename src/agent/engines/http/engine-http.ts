import { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { TraceHeaders } from '../../../kernel/tracing/trace-headers.js';
import { engineConnector } from './engine-connector.js';
import { engineError } from '../failures/failures.js';
import { dispatch, type EngineHttpResponse } from './response-handler.js';

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Below the five seconds after which common servers close an idle connection, so that no request meets the closing; above the usual time
 * between two looks, so that one stays open and its end tells at once that the engine has ended.
 */
const IDLE_CONNECTION_MS = 3_000;
/** Larger bodies are written in chunks of this size, because one write of 16 MiB would delay every stream. */
const WRITE_BYTES = 128 * 1024;
const ERROR_TEXT_LIMIT_BYTES = 64 * 1024;
const ERROR_TEXT_TIMEOUT_MS = 5_000;

interface EngineHttpOptions {
  /** A trailing `/v1` is optional. */
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
  readonly userAgent: string;
  /** The engine closed or reset a connection. */
  readonly onConnectionClosed?: () => void;
}

export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base address, with `/v1` where the route has it. */
  readonly path: string;
  /** JSON; none for a request without a body. */
  readonly body?: readonly Buffer[];
  readonly accept?: string;
  readonly trace?: TraceHeaders | undefined;
  readonly signal: AbortSignal;
}

/**
 * HTTP client for one engine. Redirects are not followed, and there is no response timeout, because a prefill may take minutes
 * (docs/reference/engines.md#adapter-rules); callers pass a signal.
 */
export class EngineHttp {
  private readonly pool: Pool;
  private readonly prefix: string;
  private readonly headers: Readonly<Record<string, string>>;

  constructor({ baseUrl, apiKey, userAgent, onConnectionClosed }: EngineHttpOptions) {
    this.prefix = baseUrl.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
    this.headers = {
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
    this.pool = new Pool(baseUrl.origin, {
      // Unlimited, because the slots of the engine limit the requests.
      connections: null,
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      connect: engineConnector(CONNECT_TIMEOUT_MS),
    });
    this.pool.on('disconnect', (_origin, _targets, error) => {
      if (closedByEngine(error)) onConnectionClosed?.();
    });
  }

  /**
   * The body goes with its length: mlx-lm reads no chunked ones. @throws EngineFailure when no response comes; the signal's reason on abort
   */
  send({ method, path, body, accept = 'application/json', trace, signal }: EngineRequest): Promise<EngineHttpResponse> {
    const length = body?.reduce((sum, chunk) => sum + chunk.length, 0) ?? 0;
    const described = body === undefined ? {} : describeBody(length);
    const options = {
      method,
      path: this.prefix + path,
      headers: { ...this.headers, accept, ...described, ...trace },
      body: body === undefined ? null : inChunks(body, length),
    };
    return dispatch(this.pool, options, signal);
  }

  /** Fetches a small JSON document for a probe. @throws when the response is late or too large */
  async get(
    path: string,
    timeoutMs: number,
    limitBytes: number,
  ): Promise<{ status: number; server: string; text: string }> {
    const response = await this.send({ method: 'GET', path, signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.body.text(limitBytes);
    if (text === undefined) throw engineError(`The engine's response to ${path} is too large.`);
    return { status: response.statusCode, server: headerText(response.headers['server']) ?? '', text };
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}

/** Excludes closes by this side: after idle time, by an abort, or because of `connection: close`. */
const closedByEngine = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';

const describeBody = (length: number): Record<string, string> => ({
  'content-type': 'application/json',
  'content-length': String(length),
});

const inChunks = (body: readonly Buffer[], length: number): Buffer | Readable =>
  length <= WRITE_BYTES ? Buffer.concat(body) : Readable.from(slicesOf(body), { objectMode: false });

function* slicesOf(chunks: readonly Buffer[]): Generator<Buffer> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += WRITE_BYTES) yield chunk.subarray(at, at + WRITE_BYTES);
  }
}

/** The body of a failed request, limited in size and time. */
export async function readErrorText({ body }: EngineHttpResponse): Promise<string> {
  const giveUp = setTimeout(() => body.destroy(), ERROR_TEXT_TIMEOUT_MS);
  try {
    return (await body.text(ERROR_TEXT_LIMIT_BYTES)) ?? '';
  } catch {
    return '';
  } finally {
    clearTimeout(giveUp);
  }
}

export const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
