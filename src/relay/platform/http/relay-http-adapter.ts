import type { RequestListener, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import { EventStream } from './event-stream.js';
import { createHttpServer, type HttpServerOptions } from './server/create-http-server.js';
import { WholeAnswer } from './whole-answer.js';

/** Express behind the relay's own server, with two more kinds of answer: a controller may return an `EventStream` or a `WholeAnswer`. */
export class RelayHttpAdapter extends ExpressAdapter {
  constructor(private readonly serverOptions: HttpServerOptions) {
    const application = express();
    // `/V1/Models` is no route (reliability, finding 3). Set before the router exists; a trailing slash stays allowed.
    application.set('case sensitive routing', true);
    application.set('etag', false);
    application.set('x-powered-by', false);
    application.set('query parser', 'simple');
    super(application);
  }

  override initHttpServer(): void {
    this.httpServer = createHttpServer(this.getInstance<RequestListener>(), this.serverOptions);
  }

  /** Nest awaits it: a rejection before the first byte reaches the exception filters with its status. */
  override reply(response: ServerResponse, body: unknown, statusCode?: number): unknown {
    if (body instanceof EventStream || body instanceof WholeAnswer) return body.send(response, statusCode ?? 200);
    return super.reply(response, body, statusCode);
  }
}
