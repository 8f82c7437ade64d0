import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { UnhandledFailures } from '../../../kernel/unhandled-failures.js';
import { createClientWriter, type CreateClientWriter } from './client-writer.js';
import { serializerFor } from './errors/error-family.js';
import { EventStream } from './event-stream.js';
import { createChunkWriter } from './fast-path/chunk-writer.js';
import { requestIdOf, setRequestIdHeaders } from './request-id.js';
import { sendCompleteResponse } from './send-response.js';
import { createHttpServer, type HttpServerOptions } from './server/create-http-server.js';
import { JsonResponse } from './json-response.js';

/** Serves every request of one path, and writes the ids of the request itself. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void;

interface DirectRoute {
  readonly handler: RequestHandler;
  /** False: the route does not exist now. Absent: it always does. */
  readonly isServed?: (() => boolean) | undefined;
  /** As Express sets it: the request log reads the route from there. */
  readonly named: { readonly path: string };
}

type NamedRequest = IncomingMessage & { route?: { readonly path: string } | undefined };

/** Express behind the relay's own server. A controller may also return an `EventStream`, a `JsonResponse` or the bytes of a body. */
export class RelayHttpAdapter extends ExpressAdapter {
  private readonly createWriter: CreateClientWriter;
  private readonly directRoutes = new Map<string, DirectRoute>();

  /** @param failures called for a request whose exception filter failed, too; if absent, the error is an unhandled one of the process */
  constructor(
    private readonly serverOptions: HttpServerOptions,
    private readonly failures?: Pick<UnhandledFailures, 'note'>,
  ) {
    const application = express();
    // Paths are case-sensitive. Must be set before the router exists; a trailing slash stays allowed.
    application.set('case sensitive routing', true);
    application.set('etag', false);
    application.set('x-powered-by', false);
    application.set('query parser', 'simple');
    super(application);
    this.createWriter = serverOptions.fastPath ? createChunkWriter : createClientWriter;
  }

  override initHttpServer(): void {
    const application = this.getInstance<Express>();
    // The last `next` of Express: reached when a handler and the exception filter behind it have failed.
    const listener: RequestListener = (req, res) => {
      application(req as Request, res as Response, (error: unknown) => {
        this.fail(req, res, error);
      });
    };
    const dispatch: RequestListener = (req, res) => {
      const route = this.directRouteOf(req);
      if (route === undefined) {
        listener(req, res);
        return;
      }
      (req as NamedRequest).route = route.named;
      route.handler(req, res);
    };
    this.httpServer = createHttpServer(dispatch, {
      ...this.serverOptions,
      writesRequestId: (req) => this.directRouteOf(req) !== undefined,
    });
  }

  /**
   * Serves a path without Nest and, in its exact spelling, without Express, which swaps the prototypes of request and response and walks its
   * layers. Other spellings, with a slash or a query behind, go through Express to the same handler. Call it before the application listens.
   * @param isServed false: requests are answered as those of an unknown route. Absent: the route always exists
   */
  serve(path: string, handler: RequestHandler, isServed?: () => boolean): void {
    this.directRoutes.set(path, { handler, isServed, named: { path } });
    this.getInstance<Express>().post(path, (req, res, next) => {
      if (isServed?.() !== false) {
        handler(req, res);
        return;
      }
      // Express has noted it, and the log and metrics would show a route that does not exist.
      (req as NamedRequest).route = undefined;
      next();
    });
  }

  /**
   * Serves `GET` of every path that begins with this one, of which a rest follows.
   * @param isServed false: requests are answered as those of an unknown route
   */
  serveBelow(path: string, handler: RequestHandler, isServed: () => boolean): void {
    this.getInstance<Express>().use((req, res, next) => {
      const isBelow = req.method === 'GET' && req.path.length > path.length && req.path.startsWith(path);
      if (!isBelow || !isServed()) {
        next();
        return;
      }
      (req as NamedRequest).route = { path: `${path}{id}` };
      handler(req, res);
    });
  }

  private directRouteOf({ method, url }: IncomingMessage): DirectRoute | undefined {
    const route = method === 'POST' ? this.directRoutes.get(url ?? '') : undefined;
    return route?.isServed?.() === false ? undefined : route;
  }

  /** Answers a request whose own error could not be sent, so that only this request fails. */
  fail(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    if (this.failures === undefined) throw error;
    const requestId = requestIdOf(res);
    this.failures.note('request', error, requestId);
    const failure = new FerryError(
      'internal_error',
      'The relay encountered an internal error. Please report it with the request id.',
    );
    sendCompleteResponse(res, serializerFor(req.url ?? '')(failure, requestId));
  }

  /** The `response.status` of Express is missing on a request that has not passed through it. */
  override status(response: ServerResponse, statusCode: number): ServerResponse {
    response.statusCode = statusCode;
    return response;
  }

  /** Nest awaits the result: a rejection before the first byte reaches the exception filters with its status. */
  override reply(response: ServerResponse, body: unknown, statusCode?: number): unknown {
    if (body instanceof EventStream || body instanceof JsonResponse) {
      return body.send(response, statusCode ?? 200, this.createWriter);
    }
    setRequestIdHeaders(response);
    if (Buffer.isBuffer(body)) {
      // Nest would take it for an object to serialise.
      response.statusCode = statusCode ?? 200;
      response.setHeader('content-length', body.byteLength);
      return response.end(body);
    }
    return super.reply(response, body, statusCode);
  }
}
