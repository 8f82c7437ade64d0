/** A relay, a node with a fake engine, and a proxy with TLS in front: clients and the node know the address of the proxy only. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../../support/clock/eventually.js';
import { FakeEngine } from '../../support/engine/fake-engine.js';
import { freePort } from '../../support/network/free-port.js';
import type { TestAuthority } from '../../support/network/tls.js';
import { FerryProcess } from '../../support/process/ferry-process.js';
import { TestNode } from '../../support/process/test-node.js';
import { TestRelay } from '../../support/process/test-relay.js';
import { inFolder, type ProxyProgram } from './proxy-programs.js';
import { trustedAuthority } from './trusted-authority.js';

/** Of the node: more than the streams of any test. */
const SLOTS = 250;

export class ProxiedRelay {
  relay!: TestRelay;
  node!: TestNode;
  engine!: FakeEngine;
  /** What has to be stopped, the newest first. */
  private readonly started: (() => Promise<unknown>)[] = [];

  private constructor() {}

  static async start(program: ProxyProgram, env: Readonly<Record<string, string>> = {}): Promise<ProxiedRelay> {
    const proxied = new ProxiedRelay();
    try {
      await proxied.launch(program, env);
      return proxied;
    } catch (error) {
      await proxied.stop();
      throw error;
    }
  }

  /** How often the node has connected, from the log of the relay. */
  get nodeLinks(): number {
    return this.relay.process.stderr.split('"msg":"node connected"').length - 1;
  }

  async stop(): Promise<void> {
    for (const stop of this.started.splice(0).reverse()) await stop();
  }

  private async launch(program: ProxyProgram, env: Readonly<Record<string, string>>): Promise<void> {
    const authority = await trustedAuthority();
    const [port, relayPort] = [await freePort(), await freePort()];
    const url = `https://localhost:${port}`;
    const folder = await this.launchProxy(program, port, relayPort, authority);
    const settings = { FERRY_BASE_URL: url, FERRY_TRUSTED_PROXIES: '127.0.0.1', ...env };
    this.relay = await TestRelay.start({ port: relayPort, env: settings });
    this.started.push(() => this.relay.stop());
    this.engine = await FakeEngine.start();
    this.started.push(() => this.engine.stop());
    this.node = await TestNode.start(this.relay, {
      engines: [{ kind: 'openai-compatible', base_url: this.engine.url, slots: SLOTS }],
      env: { FERRY_CA_FILE: await inFolder(folder, 'authority.pem', authority.certificate) },
    });
    this.started.push(() => this.node.stop());
  }

  /** @returns its folder */
  private async launchProxy(
    program: ProxyProgram,
    port: number,
    relayPort: number,
    authority: TestAuthority,
  ): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), 'ferry-proxy-'));
    this.started.push(() => rm(folder, { recursive: true, force: true }));
    // nginx that root started has workers of another user.
    await chmod(folder, 0o755);
    const { cert: certificate, key } = await authority.issue('localhost');
    const args = await program.configure({ folder, port, relayPort, certificate, key });
    // Debian keeps servers where the PATH of a user does not lead.
    const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`, HOME: folder };
    const command = typeof program.command === 'string' ? program.command : await program.command();
    const proxy = FerryProcess.startProgram(command, args, folder, env);
    proxy.exited.catch(() => undefined);
    this.started.push(() => proxy.stop());
    await eventually(`${program.name} answers`, async () => {
      if (!proxy.running) throw new Error(`${program.name} ended: ${proxy.ending}`);
      return (await fetch(`https://localhost:${port}/livez`)).status > 0;
    });
    return folder;
  }
}
