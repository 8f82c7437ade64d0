import { Readable } from 'node:stream';
import { Pool, type Dispatcher } from 'undici';
import { engineError } from './failures.js';

const CONNECT_TIMEOUT_MS = 5_000;
/** Well below the five seconds after which common servers close an idle connection, so that no request meets the closing. */
const IDLE_CONNECTION_MS = 2_000;
/** A larger body is written in pieces of this size, each when the one before has left: one write of 16 MiB would hold up every stream. */
const WRITE_BYTES = 128 * 1024;
const ERROR_TEXT_LIMIT_BYTES = 64 * 1024;
const ERROR_TEXT_TIMEOUT_MS = 5_000;

export type EngineReply = Dispatcher.ResponseData;

export interface EngineHttpOptions {
  /** With or without `/v1`. */
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
  readonly userAgent: string;
}

export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base address, with `/v1` where the route has it. */
  readonly path: string;
  /** JSON; none for a request without a body. */
  readonly body?: readonly Buffer[];
  readonly accept?: string;
  readonly signal: AbortSignal;
}

/**
 * HTTP to one engine. Only to the configured address: redirects are answers like any other, and a slow engine is never given up on by a
 * timer, because a prefill may take minutes (design §8); whoever asks decides with a signal.
 */
export class EngineHttp {
  private readonly pool: Pool;
  private readonly prefix: string;
  private readonly headers: Readonly<Record<string, string>>;

  constructor({ baseUrl, apiKey, userAgent }: EngineHttpOptions) {
    this.prefix = baseUrl.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
    this.headers = {
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
    this.pool = new Pool(baseUrl.origin, {
      // As many as there are requests: the slots of the engine are the bound.
      connections: null,
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_CONNECTION_MS,
      connect: { timeout: CONNECT_TIMEOUT_MS },
    });
  }

  /** The body goes with its length: mlx-lm reads no chunked ones. @throws EngineFailure when no answer comes; the signal's reason on abort */
  async send({ method, path, body, accept = 'application/json', signal }: EngineRequest): Promise<EngineReply> {
    const length = body?.reduce((sum, piece) => sum + piece.length, 0) ?? 0;
    const described = body === undefined ? {} : describeBody(length);
    try {
      const reply = await this.pool.request({
        method,
        path: this.prefix + path,
        headers: { ...this.headers, accept, ...described },
        body: body === undefined ? null : inPieces(body, length),
        signal,
      });
      // A body that is given up emits an error, which would end the process; readers get theirs nevertheless.
      reply.body.on('error', () => undefined);
      return reply;
    } catch (error) {
      throw lostConnection(error, signal);
    }
  }

  /** A small JSON document, for looking at an engine. @throws when there is no answer within the time, or too large a one */
  async get(
    path: string,
    timeoutMs: number,
    limitBytes: number,
  ): Promise<{ status: number; server: string; text: string }> {
    const signal = AbortSignal.timeout(timeoutMs);
    const { statusCode, headers, body } = await this.pool.request({
      method: 'GET',
      path: this.prefix + path,
      headers: { ...this.headers, accept: 'application/json' },
      signal,
    });
    body.on('error', () => undefined);
    const text = await readText(body, limitBytes);
    if (text === undefined) throw engineError(`The engine's answer to ${path} is too large.`);
    return { status: statusCode, server: headerText(headers['server']) ?? '', text };
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}

const describeBody = (length: number): Record<string, string> => ({
  'content-type': 'application/json',
  'content-length': String(length),
});

const inPieces = (body: readonly Buffer[], length: number): Buffer | Readable =>
  length <= WRITE_BYTES ? Buffer.concat(body) : Readable.from(slicesOf(body), { objectMode: false });

function* slicesOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += WRITE_BYTES) yield piece.subarray(at, at + WRITE_BYTES);
  }
}

/** The explanation of a failed request; as much of it as a bound in size and time allows. */
export async function readErrorText({ body }: EngineReply): Promise<string> {
  const giveUp = setTimeout(() => body.destroy(), ERROR_TEXT_TIMEOUT_MS);
  try {
    return (await readText(body, ERROR_TEXT_LIMIT_BYTES)) ?? '';
  } catch {
    return '';
  } finally {
    clearTimeout(giveUp);
  }
}

/** The whole body as text; undefined when it is longer than `limitBytes`. */
export async function readText(body: AsyncIterable<Buffer>, limitBytes: number): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > limitBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

export const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

/** What to throw when a connection failed: the reason of the abort if it was one. */
export function lostConnection(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EHOSTUNREACH':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return engineError('The engine cannot be reached. Is it running?', error);
    default:
      return engineError('The engine closed the connection before the answer was finished.', error);
  }
}
