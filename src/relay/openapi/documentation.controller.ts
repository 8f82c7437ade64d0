import { Controller, Get, Header, Inject, NotFoundException, Param, Redirect, Res, UseFilters } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../platform/access/access.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { OpenAiErrorFilter } from '../platform/http/errors/error-filters.js';
import { assets } from './assets.js';
import { quickstartPolicy, referencePolicy } from './pages/content-security-policy.js';
import { quickstartPage } from './pages/quickstart-page.js';
import { rootPath } from './pages/page.js';
import { managementReferencePage, referencePage } from './pages/reference-page.js';

/** Asks whether it changed instead of guessing for how long it will not. */
const REVALIDATE = 'no-cache';
const HTML = 'text/html; charset=utf-8';

/** The pages for integrators, without a credential: they show nothing that is not in the repository, but for the relay's own address. */
@Controller()
@Public()
@UseFilters(OpenAiErrorFilter)
export class DocumentationController {
  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {}

  /** Some clients look here first, with HEAD (docs/reference/stream-transport.md#coding-agents-and-sdks). */
  @Get()
  @Redirect()
  root(): { url: string } {
    return { url: `${rootPath(this.config.baseUrl)}/docs/quickstart` };
  }

  @Get('docs')
  @Header('content-type', HTML)
  @Header('cache-control', REVALIDATE)
  reference(@Res({ passthrough: true }) res: Response): string {
    protect(res, referencePolicy(this.config.baseUrl));
    return referencePage(this.config);
  }

  @Get('docs/management')
  @Header('content-type', HTML)
  @Header('cache-control', REVALIDATE)
  managementReference(@Res({ passthrough: true }) res: Response): string {
    protect(res, referencePolicy(this.config.baseUrl));
    return managementReferencePage(this.config);
  }

  @Get('docs/quickstart')
  @Header('content-type', HTML)
  @Header('cache-control', REVALIDATE)
  quickstart(@Res({ passthrough: true }) res: Response): string {
    protect(res, quickstartPolicy);
    return quickstartPage(this.config);
  }

  /** Rejects when the file cannot be sent; a client that leaves in the middle is no failure of the relay. */
  @Get('docs/assets/:name')
  asset(@Param('name') name: string, @Res() res: Response): Promise<void> {
    const asset = assets.get(name);
    if (asset === undefined) throw new NotFoundException();
    protect(res, quickstartPolicy);
    res.setHeader('content-type', asset.contentType);
    res.setHeader('cache-control', REVALIDATE);
    return new Promise((resolve, reject) => {
      // The path is one of the table; a folder above it may well begin with a dot.
      res.sendFile(asset.path, { dotfiles: 'allow', cacheControl: false }, (error?: Error) => {
        if (error === undefined || res.headersSent) resolve();
        else reject(error);
      });
    });
  }
}

function protect(res: Response, policy: string): void {
  res.setHeader('content-security-policy', policy);
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('referrer-policy', 'no-referrer');
}
