/** A real relay in a separate process on a free port, with a first account and a client of its management API. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freshDatabase, type TestDatabase } from '../db/fresh-database.js';
import { eventually } from '../clock/eventually.js';
import { removeLater } from './at-exit.js';
import { FerryProcess } from './ferry-process.js';
import { RelayClient, type Credentials } from './relay-client.js';

export interface RelayOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly database?: 'default' | 'embedded';
  /** Absent: any free one. */
  readonly port?: number;
  /** It ends with the process that started it. */
  readonly supervised?: boolean;
}

export class TestRelay extends RelayClient {
  credentials!: Credentials;
  process!: FerryProcess;

  private constructor(
    readonly dataDirectory: string,
    private readonly database: TestDatabase,
    private readonly env: Readonly<Record<string, string>>,
    private readonly supervised: boolean,
  ) {
    super();
  }

  static async start(options: RelayOptions = {}): Promise<TestRelay> {
    const { env = {}, database = 'default', port = 0, supervised = false } = options;
    const dataDirectory = await mkdtemp(path.join(tmpdir(), 'ferry-e2e-'));
    const relay = new TestRelay(dataDirectory, await freshDatabase(dataDirectory, database), env, supervised);
    await relay.launch(String(port));
    return relay;
  }

  /** Restarts the process on the same data and port, as a supervisor does after a crash. */
  async restart(): Promise<void> {
    await this.launch(new URL(this.baseUrl).port);
  }

  get baseUrl(): string {
    return this.credentials.base_url;
  }

  get pid(): number {
    return this.process.pid;
  }

  /** Environment with which `ferry` commands and second processes use this relay. */
  get commandEnv(): Record<string, string> {
    return { FERRY_DATA_DIR: this.dataDirectory, FERRY_CONFIG_DIR: path.join(this.dataDirectory, 'config') };
  }

  get serveEnv(): Record<string, string> {
    return {
      ...this.commandEnv,
      ...this.database.env,
      FERRY_BOOTSTRAP_CREDENTIALS_FILE: this.credentialsFile,
      // Specs break one node's engine repeatedly; what happens to such a node is tested with node health.
      FERRY_HEALTH_FAILURE_THRESHOLD: '1000',
      ...this.env,
    };
  }

  private get credentialsFile(): string {
    return path.join(this.dataDirectory, 'credentials.json');
  }

  private async launch(port: string): Promise<void> {
    const env: Record<string, string> = { ...this.serveEnv, FERRY_PORT: port };
    this.process = this.supervised ? FerryProcess.supervised(['serve'], env) : FerryProcess.start(['serve'], env);
    // Before its first line of output it is only loading.
    await this.process.said();
    await eventually(
      'the relay is ready',
      async () => {
        if (!this.process.running) throw new Error(`the relay ended: ${this.process.ending}`);
        await this.readCredentials();
        return (await fetch(`${this.baseUrl}/readyz`)).ok;
      },
      30_000,
    );
    // The first one serves while the others start.
    if (env['FERRY_WORKERS'] !== undefined)
      await eventually('all workers serve', () => this.process.stderr.includes('all workers are ready'), 30_000);
    // What was read before the relay was ready may be of an earlier start, whose credentials a restored database does not know.
    await this.readCredentials();
  }

  private async readCredentials(): Promise<void> {
    this.credentials = JSON.parse(await readFile(this.credentialsFile, 'utf8')) as Credentials;
  }

  /** What is possible while this process ends. How a relay ends is what other spec files look at. */
  endAtExit(): void {
    this.process.child.kill('SIGKILL');
    removeLater(this.dataDirectory);
    this.database.dropAtExit();
  }

  async stop(): Promise<void> {
    try {
      if (this.process.running) await this.process.stop();
    } finally {
      await this.database.drop();
      await rm(this.dataDirectory, { recursive: true, force: true });
    }
  }
}
