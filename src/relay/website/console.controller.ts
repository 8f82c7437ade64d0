import { Controller, Get, Inject, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { rootPath } from '../openapi/pages/page.js';
import { Public } from '../platform/access/access.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { sendCompleteResponse } from '../platform/http/send-response.js';
import { CONSOLE_DIRECTORY, favicon, findConsoleFile, type ConsoleFile } from './console-files.js';
import { consoleHeaders, plainPageHeaders, setHeaders, transportHeaders } from './page-headers.js';
import { notBuiltPage } from './plain-pages.js';
import { wantsPage } from './wants-page.js';

/** Names of these files contain the digest of their content, so it never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

/** The static files of the website. Its data comes from `/api` with the user's session. */
@Controller()
@Public()
export class ConsoleController {
  constructor(
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
    @Inject(CONSOLE_DIRECTORY) private readonly directory: string,
  ) {}

  /** Redirects browsers to the website. Some clients probe it with HEAD (docs/reference/stream-transport.md#coding-agents-and-sdks). */
  @Get()
  root(@Req() req: Request, @Res() res: Response): void {
    const root = rootPath(this.config.baseUrl);
    res.setHeader('vary', 'accept');
    res.redirect(302, wantsPage(req) ? `${root}/console/` : `${root}/docs/quickstart`);
  }

  /** Requested by browsers on pages without an icon link, such as a JSON response. */
  @Get('favicon.ico')
  async favicon(@Res() res: Response): Promise<void> {
    await this.send(res, favicon, REVALIDATE);
  }

  @Get('console/assets/:name')
  asset(@Param('name') name: string, @Req() req: Request, @Res() res: Response): Promise<void> {
    return this.sendFile(req, res, 'assets', name);
  }

  /** Any other path is routed by the website itself, so that its pages can be bookmarked. */
  @Get(['console', 'console/*path'])
  page(@Req() req: Request, @Res() res: Response): Promise<void> {
    const name = req.path.slice('/console/'.length);
    const isFile = name.includes('.') && !name.includes('/');
    return isFile ? this.sendFile(req, res, '', name) : this.sendIndex(res);
  }

  private async sendIndex(res: Response): Promise<void> {
    const index = { path: 'index.html', contentType: 'text/html; charset=utf-8' };
    if (await this.send(res, index, 'no-store')) return;
    sendCompleteResponse(res, {
      status: 503,
      headers: { ...plainPageHeaders, 'content-type': index.contentType, 'cache-control': 'no-store' },
      body: notBuiltPage(this.config),
    });
  }

  private async sendFile(req: Request, res: Response, folder: '' | 'assets', name: string): Promise<void> {
    const accepted = req.headers['accept-encoding'] ?? '';
    const file = await findConsoleFile(this.directory, folder, name, accepted);
    res.vary('accept-encoding');
    const cacheControl = folder === 'assets' ? IMMUTABLE : REVALIDATE;
    if (file === undefined || !(await this.send(res, file, cacheControl))) throw new NotFoundException();
  }

  /** @returns false, with nothing sent, when there is no such file. Rejects when it cannot be read. A client that disconnects is not an error. */
  private send(res: Response, file: ConsoleFile, cacheControl: string): Promise<boolean> {
    setHeaders(res, { ...consoleHeaders, ...transportHeaders(this.config.baseUrl) });
    res.setHeader('cache-control', cacheControl);
    res.setHeader('content-type', file.contentType);
    if (file.encoding !== undefined) res.setHeader('content-encoding', file.encoding);
    const options = { root: file.root ?? this.directory, cacheControl: false };
    return new Promise((resolve, reject) => {
      res.sendFile(file.path, options, (error?: NodeJS.ErrnoException) => {
        if (error === undefined || res.headersSent) resolve(true);
        else if (error.code === 'ENOENT') resolve(false);
        else reject(error);
      });
    });
  }
}
