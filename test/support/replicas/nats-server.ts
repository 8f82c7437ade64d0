import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { eventually } from '../clock/eventually.js';
import { freePort } from '../network/free-port.js';

const PROGRAMS = ['nats-server', '/usr/sbin/nats-server'];

/** A `nats-server` process on one port, which a test kills, freezes and starts again. */
export class NatsServer {
  private process: ChildProcess | null = null;

  private constructor(
    readonly port: number,
    private readonly args: readonly string[],
  ) {}

  /** @throws Error when the program is not installed: a test that needs it fails instead of being skipped */
  static async start(...args: readonly string[]): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), args);
    await server.restart();
    return server;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get address(): string {
    return `nats://${this.host}`;
  }

  async restart(): Promise<void> {
    this.process = await this.launch();
    await eventually('nats-server accepts connections', () => responses(this.port));
  }

  async kill(): Promise<void> {
    const { process } = this;
    if (process === null || process.exitCode !== null || process.signalCode !== null) return;
    const exited = once(process, 'exit');
    process.kill('SIGKILL');
    await exited;
  }

  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  resume(): void {
    this.process?.kill('SIGCONT');
  }

  private async launch(): Promise<ChildProcess> {
    for (const program of PROGRAMS) {
      const child = spawn(program, ['-a', '127.0.0.1', '-p', String(this.port), ...this.args], { stdio: 'ignore' });
      const started = await Promise.race([
        once(child, 'spawn').then(() => true),
        once(child, 'error').then(() => false),
      ]);
      if (started) return child;
    }
    throw new Error('nats-server is not installed: apt-get install nats-server');
  }
}

/** The server speaks first: `INFO`. */
async function responses(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => Promise.reject(new Error('closed')))]);
    return true;
  } finally {
    socket.destroy();
  }
}
