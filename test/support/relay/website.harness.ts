/** The website routes, with a folder like the one that the build creates. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { INestApplication } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { RELAY_CONFIG } from '../../../src/relay/platform/config/relay-config.js';
import { RelayHttpAdapter } from '../../../src/relay/platform/http/relay-http-adapter.js';
import { CONSOLE_DIRECTORY } from '../../../src/relay/website/console-files.js';
import { WebsiteErrorFilter } from '../../../src/relay/website/website-error.filter.js';
import { WebsiteModule } from '../../../src/relay/website/website.module.js';
import { httpServerOptions } from './http-server-options.js';

export const INDEX = '<!doctype html><title>The index</title>';
export const SCRIPT = `export const text = '${'a'.repeat(2000)}';\n`;
export const SCRIPT_NAME = 'index-D4Bq_x-1.js';

export class WebsiteHarness {
  private constructor(
    private readonly app: INestApplication,
    readonly url: string,
    /** The folder of the build; does not exist until `build`. */
    readonly directory: string,
  ) {}

  static async start(baseUrl = 'https://relay.example'): Promise<WebsiteHarness> {
    const parent = await mkdtemp(path.join(os.tmpdir(), 'ferry-website-'));
    const directory = path.join(parent, 'console');
    const facts = { serviceName: 'Acme & Co', version: '1.2.3', baseUrl };
    const module = await Test.createTestingModule({
      imports: [WebsiteModule],
      providers: [{ provide: APP_FILTER, useClass: WebsiteErrorFilter }],
    })
      .useMocker((token) => (token === RELAY_CONFIG ? facts : undefined))
      .overrideProvider(CONSOLE_DIRECTORY)
      .useValue(directory)
      .compile();
    const app = module.createNestApplication(new RelayHttpAdapter(httpServerOptions), { bodyParser: false });
    await app.listen(0, '127.0.0.1');
    return new WebsiteHarness(app, await app.getUrl(), directory);
  }

  async build(): Promise<void> {
    const assets = path.join(this.directory, 'assets');
    await mkdir(assets, { recursive: true });
    await writeFile(path.join(this.directory, 'index.html'), INDEX);
    await writeFile(path.join(this.directory, 'icon.svg'), '<svg/>');
    await writeFile(path.join(this.directory, 'secret.env'), 'not for browsers');
    await writeFile(path.join(assets, SCRIPT_NAME), SCRIPT);
    await writeFile(path.join(assets, `${SCRIPT_NAME}.br`), brotliCompressSync(SCRIPT));
    await writeFile(path.join(assets, `${SCRIPT_NAME}.gz`), gzipSync(SCRIPT));
    await writeFile(path.join(assets, 'style.css'), 'a{}');
  }

  get(target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Response> {
    return fetch(`${this.url}${target}`, { redirect: 'manual', method, headers });
  }

  async close(): Promise<void> {
    await this.app.close();
    await rm(path.dirname(this.directory), { recursive: true, force: true });
  }
}
