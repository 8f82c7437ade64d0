import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { UnhandledFailures } from '../../../kernel/unhandled-failures.js';
import { serializerFor } from './errors/error-family.js';
import { EventStream } from './event-stream.js';
import { requestIdOf } from './request-id.js';
import { sendCompleteResponse } from './send-response.js';
import { createHttpServer, type HttpServerOptions } from './server/create-http-server.js';
import { JsonResponse } from './json-response.js';

/** No parameters, no patterns. */
const INFERENCE_PATH = /^\/v1\/[a-z/]+$/;

type RoutedRequest = IncomingMessage & { route?: { readonly path: string } };
type ExactHandler = (req: IncomingMessage, res: ServerResponse, next: () => void) => unknown;

/** Express behind the relay's own server, with two more kinds of answer: a controller may return an `EventStream` or a `JsonResponse`. */
export class RelayHttpAdapter extends ExpressAdapter {
  /** The handlers of the inference routes, by path. Their answers are sent by this class, never by Express' methods. */
  private readonly exactPosts = new Map<string, ExactHandler>();

  /** @param failures is told of a request whose exception filter failed, too; without it such a failure is the process's */
  constructor(
    private readonly serverOptions: HttpServerOptions,
    private readonly failures?: Pick<UnhandledFailures, 'note'>,
  ) {
    const application = express();
    // `/V1/Models` is no route (reliability, finding 3). Set before the router exists; a trailing slash stays allowed.
    application.set('case sensitive routing', true);
    application.set('etag', false);
    application.set('x-powered-by', false);
    application.set('query parser', 'simple');
    super(application);
  }

  override initHttpServer(): void {
    const application = this.getInstance<RequestListener>();
    const { exactPosts } = this;
    // Express swaps the prototypes of request and response and walks its layers, at half the price of all of Nest. A path that is
    // written exactly as it was registered needs none of that; every other spelling goes the ordinary way to the same handler.
    const dispatch: RequestListener = (req, res) => {
      const exact = req.method === 'POST' ? exactPosts.get(req.url ?? '') : undefined;
      if (exact === undefined) {
        application(req, res);
        return;
      }
      // Where Express puts it: the request log reads the route from here.
      (req as RoutedRequest).route = { path: req.url ?? '' };
      const answered = exact(req, res, () => {
        application(req, res);
      });
      // Express would handle a rejection of its handlers; here nobody else does.
      if (answered instanceof Promise) {
        answered.catch((error: unknown) => {
          this.fail(req, res, error);
        });
      }
    };
    this.httpServer = createHttpServer(dispatch, this.serverOptions);
  }

  override post(...route: unknown[]): unknown {
    const [path, handler] = route;
    if (typeof path === 'string' && INFERENCE_PATH.test(path) && typeof handler === 'function') {
      this.exactPosts.set(path, handler as ExactHandler);
    }
    return (super.post as (...route: unknown[]) => unknown)(...route);
  }

  /** What not even an exception filter has answered: this request fails, and no other. */
  private fail(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    if (this.failures === undefined) throw error;
    const requestId = requestIdOf(res);
    this.failures.note('request', error, requestId);
    const failure = new FerryError('internal_error', 'The relay made a mistake. Please report it with the request id.');
    sendCompleteResponse(res, serializerFor(req.url ?? '')(failure, requestId));
  }

  /** Express' own `response.status` is not there on the direct way. */
  override status(response: ServerResponse, statusCode: number): ServerResponse {
    response.statusCode = statusCode;
    return response;
  }

  /** Nest awaits it: a rejection before the first byte reaches the exception filters with its status. */
  override reply(response: ServerResponse, body: unknown, statusCode?: number): unknown {
    if (body instanceof EventStream || body instanceof JsonResponse) return body.send(response, statusCode ?? 200);
    return super.reply(response, body, statusCode);
  }
}
