/** The installer routes, with a folder like the one that the build creates. The agent in it only prints how it was called. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { BUNDLE_DIRECTORY } from '../../../src/relay/nodes/installer/agent-bundle.js';
import { InstallerModule } from '../../../src/relay/nodes/installer/installer.module.js';
import { RELAY_CONFIG } from '../../../src/relay/platform/config/relay-config.js';

/** Prints its arguments and its certificate authority settings as one JSON line. */
const AGENT = `console.log(JSON.stringify({ args: process.argv.slice(2), ca: process.env.FERRY_CA_FILE ?? null }));\n`;
const ENGINE = Buffer.from('an archive');

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

export class InstallerHarness {
  readonly agentSha256 = sha256(AGENT);
  readonly engineSha256 = sha256(ENGINE);
  readonly agentSize = AGENT.length;

  private constructor(
    private readonly app: INestApplication,
    readonly directory: string,
  ) {}

  /** @param baseUrl `FERRY_BASE_URL` of the relay */
  static async start(baseUrl?: string): Promise<InstallerHarness> {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-distribution-'));
    const config = { settings: { baseUrl }, baseUrl: baseUrl ?? 'http://127.0.0.1:8787' };
    const module = await Test.createTestingModule({ imports: [InstallerModule] })
      .useMocker((token) => (token === RELAY_CONFIG ? config : undefined))
      .overrideProvider(BUNDLE_DIRECTORY)
      .useValue(directory)
      .compile();
    const app = module.createNestApplication();
    await app.listen(0, '127.0.0.1');
    const started = new InstallerHarness(app, directory);
    await started.build();
    return started;
  }

  get port(): number {
    return (this.app.getHttpServer() as { address(): AddressInfo }).address().port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Writes the files (again). */
  async build(): Promise<void> {
    const facts = {
      version: '1.2.3',
      sha256: this.agentSha256,
      size: this.agentSize,
      engine: { sha256: this.engineSha256, size: ENGINE.length },
    };
    await writeFile(path.join(this.directory, 'ferry-node.mjs'), AGENT);
    await writeFile(path.join(this.directory, 'engine.tgz'), ENGINE);
    await writeFile(path.join(this.directory, 'version.json'), JSON.stringify(facts));
  }

  async close(): Promise<void> {
    await this.app.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}
