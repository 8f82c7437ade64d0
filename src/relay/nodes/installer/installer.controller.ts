import { createHash } from 'node:crypto';
import path from 'node:path';
import { Controller, Get, Inject, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { LINK_VERSION } from '../../../link/codec/frame-types.js';
import { Public } from '../../platform/access/access.js';
import { publicUrl } from '../../platform/http/public-url.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { OpenAiErrorFilter } from '../../platform/http/errors/error-filters.js';
import { BUNDLE_DIRECTORY, readBundleFacts, type BundleFacts } from './agent-bundle.js';
import { renderInstallScript, type InstallScript } from './install-script.js';

const REVALIDATE = 'no-cache';
/** The URL contains the digest of the file, so the content never changes. */
const FOREVER = 'public, max-age=31536000, immutable';
const PLAIN_TEXT = 'text/plain; charset=utf-8';

interface AgentVersion {
  readonly version: string;
  /** Supported versions of the link protocol. */
  readonly link_versions: readonly number[];
  readonly sha256: string;
  readonly size: number;
}

/** Serves the install scripts and the agent. Public, because neither contains a secret: the user passes the join token to the script. */
@Controller()
@Public()
@UseFilters(OpenAiErrorFilter)
export class InstallerController {
  constructor(
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
    @Inject(BUNDLE_DIRECTORY) private readonly directory: string,
  ) {}

  @Get('install.sh')
  shellScript(@Req() req: Request, @Res({ passthrough: true }) res: Response): Promise<string> {
    return this.script('install.sh', req, res);
  }

  @Get('install.ps1')
  powerShellScript(@Req() req: Request, @Res({ passthrough: true }) res: Response): Promise<string> {
    return this.script('install.ps1', req, res);
  }

  @Get('agent/version.json')
  async version(@Res({ passthrough: true }) res: Response): Promise<AgentVersion> {
    const { version, sha256, size } = await this.facts();
    describe(res, { type: 'application/json; charset=utf-8', etag: undefined, caching: REVALIDATE });
    return { version, link_versions: [LINK_VERSION], sha256, size };
  }

  @Get('agent/ferry-node.mjs.sha256')
  async checksum(@Res({ passthrough: true }) res: Response): Promise<string> {
    const { sha256 } = await this.facts();
    describe(res, { type: PLAIN_TEXT, etag: `sum-${sha256}`, caching: REVALIDATE });
    // The format of `sha256sum --check`.
    return `${sha256}  ferry-node.mjs\n`;
  }

  @Get('agent/ferry-node.mjs')
  async agent(@Query('sha256') requestedDigest: unknown, @Res() res: Response): Promise<void> {
    const { sha256 } = await this.facts();
    return this.file(res, { name: 'ferry-node.mjs', type: 'text/javascript; charset=utf-8', sha256, requestedDigest });
  }

  @Get('agent/engine.tgz')
  async engine(@Query('sha256') requestedDigest: unknown, @Res() res: Response): Promise<void> {
    const { engine } = await this.facts();
    return this.file(res, { name: 'engine.tgz', type: 'application/gzip', sha256: engine.sha256, requestedDigest });
  }

  private async script(script: InstallScript, req: Request, res: Response): Promise<string> {
    const text = await renderInstallScript(script, publicUrl(this.config, req), await this.facts());
    // Plain text, so that browsers show the script for review instead of downloading it.
    describe(res, { type: PLAIN_TEXT, etag: createHash('sha256').update(text).digest('hex'), caching: REVALIDATE });
    return text;
  }

  private async facts(): Promise<BundleFacts> {
    const facts = await readBundleFacts(this.directory);
    if (facts !== undefined) return facts;
    throw new FerryError('not_found', 'This relay was built without the agent: run `npm run build` where it runs.');
  }

  /** Rejects when the file cannot be sent. A client that disconnects during the download is not an error. */
  private file(
    res: Response,
    file: { readonly name: string; readonly type: string; readonly sha256: string; readonly requestedDigest: unknown },
  ): Promise<void> {
    const { name, type, sha256, requestedDigest } = file;
    describe(res, { type, etag: sha256, caching: requestedDigest === sha256 ? FOREVER : REVALIDATE });
    return new Promise((resolve, reject) => {
      // The name is one of two constants, but a parent folder may begin with a dot.
      const options = { dotfiles: 'allow', cacheControl: false, lastModified: false } as const;
      res.sendFile(path.join(this.directory, name), options, (error?: Error) => {
        if (error === undefined || res.headersSent) resolve();
        else reject(error);
      });
    });
  }
}

function describe(
  res: Response,
  { type, etag, caching }: { readonly type: string; readonly etag: string | undefined; readonly caching: string },
): void {
  res.setHeader('content-type', type);
  res.setHeader('cache-control', caching);
  res.setHeader('x-content-type-options', 'nosniff');
  if (etag !== undefined) res.setHeader('etag', `"${etag}"`);
}
