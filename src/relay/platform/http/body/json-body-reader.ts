import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { whenReady } from '../../../../kernel/when-ready.js';
import { ClientDisconnectedError } from '../errors/client-disconnected-error.js';
import { contextOf } from '../request-context.js';
import type { BodyBudget } from './body-budget.js';
import { readBody, type BodyLimits } from './body-reader.js';
import type { JsonParser, JsonParseResult, JsonReading } from './json-parser.js';
import type { ParsedBody, RawBody } from './parsed-body.js';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';

/** Reads, checks and parses the body of a request, once the request may have one (after authentication). */
export class JsonBodyReader {
  constructor(
    private readonly limits: BodyLimits,
    private readonly budget: BodyBudget,
    private readonly parser: JsonParser,
  ) {}

  /**
   * @param limitBytes smaller limit for routes that never take large bodies
   * @throws FerryError with the status of what is wrong · ClientDisconnectedError
   */
  async read(req: IncomingMessage, res: ServerResponse, limitBytes = this.limits.limitBytes): Promise<ParsedBody> {
    return this.readAs(req, res, limitBytes, undefined, ({ bytes, value }, release) => ({
      raw: bytes,
      json: requireObject(value, bytes.byteLength),
      release,
    }));
  }

  /**
   * The result of a reading and the bytes of the body, but not the parsed object: that of a large body stays in the thread that parsed it.
   * @returns no promise where the body is small and has already arrived
   * @throws as `read`, and what the reading throws
   */
  understand<Result>(
    req: IncomingMessage,
    res: ServerResponse,
    readingOf: (bodyBytes: number) => JsonReading<Result>,
  ): UnderstoodBody<Result> | Promise<UnderstoodBody<Result>> {
    return this.readAs(req, res, this.limits.limitBytes, readingOf, ({ bytes, value, read }, release, reading) => ({
      raw: bytes,
      // The module and `here` are of one reading.
      understood: read !== undefined ? (read.result as Result) : reading.here(requireObject(value, bytes.byteLength)),
      release,
    }));
  }

  private readAs<Reading extends JsonReading<unknown> | undefined, Body>(
    req: IncomingMessage,
    res: ServerResponse,
    limitBytes: number,
    readingOf: ((bodyBytes: number) => Reading) | undefined,
    toBody: (parsed: JsonParseResult, release: () => void, reading: Reading) => Body,
  ): Body | Promise<Body> {
    if (!isReadAsJson(req.headers['content-type'])) throw new FerryError('unsupported_content_type');
    const reservation = this.budget.open(contextOf(req).accountId);
    const { release } = reservation;
    // In any case the bytes are released when the response is over.
    res.on('close', release);
    if (res.destroyed) throw new ClientDisconnectedError();
    const limits = limitBytes === this.limits.limitBytes ? this.limits : { ...this.limits, limitBytes };
    try {
      const body = whenReady(readBody(req, res, limits, reservation), ({ bytes, colons }) => {
        const raw = withoutByteOrderMark(bytes);
        if (!isUtf8(raw)) throw new FerryError('invalid_json', 'The body is not valid UTF-8.');
        const reading = readingOf?.(raw.byteLength) as Reading;
        return whenReady(this.parser.parse(raw, colons, reading), (parsed) => toBody(parsed, release, reading));
      });
      return body instanceof Promise ? body.catch((error: unknown) => releaseAndThrow(release, error)) : body;
    } catch (error) {
      return releaseAndThrow(release, error);
    }
  }
}

type UnderstoodBody<Result> = RawBody & { readonly understood: Result };

const releaseAndThrow = (release: () => void, error: unknown): never => {
  release();
  throw error;
};

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

const withoutByteOrderMark = (bytes: Buffer): Buffer =>
  BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;

function requireObject(value: unknown, byteLength: number): Readonly<Record<string, unknown>> {
  if (byteLength === 0) throw new FerryError('invalid_json', 'The body is empty; send a JSON object.');
  if (value === undefined) throw new FerryError('invalid_json', 'The body is not valid JSON.');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FerryError('invalid_json', 'The body must be a JSON object.');
  }
  return value as Readonly<Record<string, unknown>>;
}

/**
 * Whether a body with this `content-type` is read as JSON: JSON with any parameters, and two common mistakes, a missing header and
 * curl's default for `-d` (docs/reference/stream-transport.md#events-and-bytes).
 */
function isReadAsJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return (
    type === '' ||
    type === 'application/json' ||
    type === 'application/x-www-form-urlencoded' ||
    /^application\/[a-z0-9!#$&^_.-]+\+json$/.test(type)
  );
}

/** No management request needs more; prompts are not sent to these routes. */
const MANAGEMENT_BODY_LIMIT_BYTES = 1_048_576;

/** Reads the body of a management request for Nest's own `@Body()`, after the guards. A request without one gets an empty object. */
@Injectable()
export class ManagementBodyInterceptor implements NestInterceptor {
  constructor(private readonly reader: JsonBodyReader) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = execution.switchToHttp();
    const req = http.getRequest<Request>();
    req.body = hasBody(req)
      ? (await this.reader.read(req, http.getResponse<Response>(), MANAGEMENT_BODY_LIMIT_BYTES)).json
      : {};
    return next.handle();
  }
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
