import { Controller, Get, Header, Inject, NotFoundException, Param, Res, UseFilters } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../platform/access/access.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { OpenAiErrorFilter } from '../platform/http/errors/error-filters.js';
import { quickstartPage } from './pages/quickstart-page.js';
import { managementReferencePage, referencePage } from './pages/reference-page.js';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** No external resources, no inline scripts, no frames. */
const common = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
};

const render = (policy: Readonly<Record<string, string>>): string =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

const quickstartPolicy: string = render(common);

/**
 * Swagger UI sets style attributes and calls the relay at the origin in the document, which differs from the page's origin when it is opened
 * under another name of the same computer.
 */
const referencePolicy = (baseUrl: string): string =>
  render({
    ...common,
    'style-src': "'self' 'unsafe-inline'",
    'connect-src': `'self' ${new URL(baseUrl).origin}`,
  });

/** The files served at `/docs/assets/…`. */

interface Asset {
  /** Absolute path. */
  readonly path: string;
  readonly contentType: string;
}

const STYLE = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** At the same relative path from `src` and `dist`; served unchanged. */
const own = (name: string): string => fileURLToPath(new URL(`../../../public/docs/${name}`, import.meta.url));
const require = createRequire(import.meta.url);

/** The font of the website, whose build names it by its content. None where the website was not built: the pages have another one then. */
function websiteFont(): readonly [string, Asset][] {
  const folder = fileURLToPath(new URL('../../../dist/console/assets', import.meta.url));
  try {
    const file = readdirSync(folder).find((name) => /^inter-.*\.woff2$/.test(name));
    return file === undefined ? [] : [['inter.woff2', { path: path.join(folder, file), contentType: 'font/woff2' }]];
  } catch {
    return [];
  }
}

export const assets: ReadonlyMap<string, Asset> = new Map([
  ...websiteFont(),
  ['pages.css', { path: own('pages.css'), contentType: STYLE }],
  ['quickstart.css', { path: own('quickstart.css'), contentType: STYLE }],
  ['quickstart.js', { path: own('quickstart.js'), contentType: SCRIPT }],
  ['reference.css', { path: own('reference.css'), contentType: STYLE }],
  ['reference.js', { path: own('reference.js'), contentType: SCRIPT }],
  ['icon.svg', { path: own('icon.svg'), contentType: 'image/svg+xml' }],
  ['swagger-ui.css', { path: require.resolve('swagger-ui-dist/swagger-ui.css'), contentType: STYLE }],
  ['swagger-ui-bundle.js', { path: require.resolve('swagger-ui-dist/swagger-ui-bundle.js'), contentType: SCRIPT }],
]);

/** Cached, but revalidated at each request. */
const REVALIDATE = 'no-cache';
const HTML = 'text/html; charset=utf-8';

/** Documentation pages. Public, because they contain only what is in the repository, and the relay's address. */
@Controller()
@Public()
@UseFilters(OpenAiErrorFilter)
export class DocumentationController {
  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {}

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

  /** Rejects when the file cannot be sent. A client that disconnects is not an error. */
  @Get('docs/assets/:name')
  asset(@Param('name') name: string, @Res() res: Response): Promise<void> {
    const asset = assets.get(name);
    if (asset === undefined) throw new NotFoundException();
    protect(res, quickstartPolicy);
    res.setHeader('content-type', asset.contentType);
    res.setHeader('cache-control', REVALIDATE);
    return new Promise((resolve, reject) => {
      // The path comes from the table, but a parent folder may begin with a dot.
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
