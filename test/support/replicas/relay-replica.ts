import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '../clock/eventually.js';
import { FerryProcess } from '../process/ferry-process.js';
import { RelayClient, type Credentials } from '../process/relay-client.js';
import { workersOfRelays } from '../process/workers-of-relays.js';

const READY_WITHIN_MS = 60_000;
const LINK_CHANGES = [
  { message: 'node connected', links: 1 },
  { message: 'node link closed', links: -1 },
];
const NODE = /"node":"([^"]+)"/;

export interface ReplicaOptions {
  readonly name: string;
  readonly port: number;
  /** Where nodes reach it alone. */
  readonly linkUrl: string;
  readonly dataDirectory: string;
  readonly env: Readonly<Record<string, string>>;
}

/** One of several relays on one database: a process on a fixed port, started again after it ended, and a client of it alone. */
export class RelayReplica extends RelayClient {
  credentials!: Credentials;
  /** Of every start, the newest last. */
  readonly processes: FerryProcess[] = [];

  constructor(private readonly options: ReplicaOptions) {
    super();
  }

  get name(): string {
    return this.options.name;
  }

  get port(): number {
    return this.options.port;
  }

  get linkUrl(): string {
    return this.options.linkUrl;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get process(): FerryProcess {
    const process = this.processes.at(-1);
    if (process === undefined) throw new Error(`${this.name} was not started`);
    return process;
  }

  get running(): boolean {
    return this.process.running;
  }

  async launch(): Promise<void> {
    const { dataDirectory, env, port } = this.options;
    await mkdir(dataDirectory, { recursive: true });
    this.processes.push(
      FerryProcess.start(['serve'], {
        ...workersOfRelays(),
        ...env,
        FERRY_PORT: String(port),
        FERRY_DATA_DIR: dataDirectory,
        FERRY_CONFIG_DIR: path.join(dataDirectory, 'config'),
      }),
    );
    await eventually(
      `${this.name} is ready`,
      async () => !this.running || (await fetch(`${this.baseUrl}/readyz`)).ok,
      READY_WITHIN_MS,
    );
    // The first worker serves while the others start.
    if ('FERRY_WORKERS' in workersOfRelays())
      await eventually(
        `all workers of ${this.name} serve`,
        () => !this.running || this.process.stderr.includes('all workers are ready'),
        READY_WITHIN_MS,
      );
    // Not within the waits, which would wait for it to come back.
    if (!this.running) throw new Error(`${this.name} ended: ${this.process.ending}`);
  }

  /** Parts that do not work. @throws Error when it is not ready */
  async degraded(): Promise<readonly string[]> {
    const response = await fetch(`${this.baseUrl}/readyz`);
    if (response.status !== 200) throw new Error(`/readyz of ${this.name}: ${response.status}`);
    return ((await response.json()) as { readonly degraded?: readonly string[] }).degraded ?? [];
  }

  /**
   * Nodes that each worker of this relay has a link to, from its log: the management API lists those of other relays, too. A link that
   * closed before it was admitted has a line of its own, which is not counted.
   */
  get linkedNodes(): number {
    const links = new Map<string, number>();
    for (const line of this.process.stderr.split('\n')) {
      const change = LINK_CHANGES.find(({ message }) => line.includes(`"msg":"${message}"`));
      const node = NODE.exec(line)?.[1];
      if (change !== undefined && node !== undefined) links.set(node, (links.get(node) ?? 0) + change.links);
    }
    const workers = Number(workersOfRelays()['FERRY_WORKERS'] ?? 1);
    return [...links.values()].filter((count) => count >= workers).length;
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    this.process.child.kill('SIGKILL');
    await this.process.exited;
  }

  freeze(): void {
    this.process.child.kill('SIGSTOP');
  }

  resume(): void {
    this.process.child.kill('SIGCONT');
  }
}

export const readCredentials = async (file: string): Promise<Credentials> =>
  JSON.parse(await readFile(file, 'utf8')) as Credentials;
