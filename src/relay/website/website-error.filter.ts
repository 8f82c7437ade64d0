import { Catch, Inject, Injectable, NotFoundException, type ArgumentsHost } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { FallbackErrorFilter } from '../platform/http/errors/error-filters.js';
import { sendCompleteResponse } from '../platform/http/send-response.js';
import { plainPageHeaders } from './page-headers.js';
import { notFoundPage } from './plain-pages.js';
import { wantsPage } from './wants-page.js';

/** Clients of these read JSON, whatever they accept. */
const API = /^\/(?:v1|api|link)(?:\/|$)/;

/** A person who opened an address that does not exist gets a page; everything else is answered as before. */
@Catch()
@Injectable()
export class WebsiteErrorFilter extends FallbackErrorFilter {
  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {
    super();
  }

  override catch(exception: unknown, host: ArgumentsHost): void {
    const req = host.switchToHttp().getRequest<Request>();
    const path = req.originalUrl.split('?', 1)[0] ?? '';
    if (!(exception instanceof NotFoundException) || API.test(path) || !wantsPage(req)) {
      super.catch(exception, host);
      return;
    }
    sendCompleteResponse(host.switchToHttp().getResponse<Response>(), {
      status: 404,
      headers: {
        ...plainPageHeaders,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        vary: 'accept',
      },
      body: notFoundPage(this.config, path),
    });
  }
}
