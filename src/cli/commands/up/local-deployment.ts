/** Brings up the relay and the node of this computer, which the supervisor runs. */
import path from 'node:path';
import type { EngineVariant } from '../../../agent/preparation.js';
import { systemClock } from '../../../kernel/clock.js';
import type { AdvisedError } from '../../../kernel/errors/advised-error.js';
import { printable } from '../../../kernel/printable.js';
import { transferDetail } from '../../core/output/quantities.js';
import { ManagementApi } from '../../core/api/management-api.js';
import {
  credentialsPath,
  isBootstrap,
  readCredentials,
  type BootstrapCredentials,
} from '../../core/api/credentials-file.js';
import type { Facts } from '../../core/supervision/messages.js';
import type { Environment } from '../../invocation.js';
import { ensureEnrolled } from './ensure-enrolled.js';
import type { Progress } from './progress.js';
import { listensEverywhere } from '../../core/args/listen-address.js';
import { readyReport, type ReadyReport } from './ready-report.js';
import { QUICKSTART_MODEL, waitForModel } from './wait-for-model.js';
import type { ProcessName, SupervisorChannel } from './supervisor/setup-channel.js';

const MODEL_TIMEOUT_MS = 30_000;
const NODE_GRACE_MS = 10_000;
/** Added to the drain timeout: closing sockets and the database. */
const RELAY_GRACE_MS = 10_000;

interface LocalDeploymentOptions {
  readonly supervisor: SupervisorChannel;
  readonly directory: string;
  readonly env: Environment;
  /** The port to listen on; `0` chooses a free one. */
  readonly host: string;
  readonly port: string;
  /** Longest drain of the relay. */
  readonly drainMs: number;
  readonly progress: Progress;
  /** A screen is shown, rather than a line for a program. */
  readonly forPeople: boolean;
}

interface PackagesToInstall {
  readonly signal: AbortSignal;
  /** Names the step. */
  readonly name: string;
  readonly variant: EngineVariant;
  /** Beginning of the line that says why they are missing. */
  readonly failure: string;
}

export class LocalDeployment {
  private readonly env: Environment;
  /** With `--port 0` known once the relay is ready. */
  private port: string;
  private publicUrl = '';
  private bringingUp: ProcessName = 'relay';

  constructor(private readonly options: LocalDeploymentOptions) {
    const { directory, port } = options;
    this.port = port;
    this.env = {
      ...options.env,
      FERRY_DATA_DIR: directory,
      FERRY_BOOTSTRAP_CREDENTIALS_FILE: credentialsPath(directory),
    };
  }

  /**
   * Resolves when a model can be used, or none is going to be loaded. @throws CliError when a process fails to start; what runs by then is left
   * to {@link SupervisorChannel.stop}
   */
  async start(signal: AbortSignal): Promise<ReadyReport> {
    const { progress, directory, host, drainMs } = this.options;
    progress.begin('relay');
    const words = ['serve', '--host', host, '--port', this.port];
    const listening = await this.launch('relay', words, drainMs + RELAY_GRACE_MS);
    this.publicUrl = String(listening['base_url']);
    this.port = String(listening['port']);
    signal.throwIfAborted();
    progress.begin('this computer');
    const credentials = await this.credentials();
    const nodeId = await ensureEnrolled({
      directory,
      localUrl: this.localUrl,
      publicUrl: this.publicUrl,
      token: credentials.cli_token,
      clusterId: credentials.cluster_id,
    });
    signal.throwIfAborted();
    this.bringingUp = 'node';
    const { bundledModels } = await import('../../../agent/preparation.js');
    let bundled = await bundledModels(this.env);
    if (bundled === 'engine-missing' && (await this.installEngine(signal))) bundled = await bundledModels(this.env);
    const preparesGraphics = bundled !== 'engine-missing' && (await this.installGraphicsPackage(signal));
    signal.throwIfAborted();
    await this.launch('node', ['node', 'run', '--relay', this.localUrl], NODE_GRACE_MS);
    signal.throwIfAborted();
    const api = new ManagementApi({ baseUrl: this.localUrl, token: credentials.cli_token });
    const expectsQuickstartModel = bundled === 'served';
    const awaited = expectsQuickstartModel ? `model ${QUICKSTART_MODEL}` : 'models';
    progress.begin(preparesGraphics ? `${awaited} (preparing the graphics processor)` : awaited);
    const model = await waitForModel({
      expectsQuickstartModel,
      preparesGraphics,
      ownNode: async () => (await api.list('/api/nodes')).find(({ node_id }) => node_id === nodeId),
      baseUrl: this.localUrl,
      apiKey: credentials.api_key,
      clusterId: credentials.cluster_id,
      timeoutMs: MODEL_TIMEOUT_MS,
      signal,
    });
    progress.done(model === null ? 'models (none is loaded)' : `model ${printable(model)}`);
    const { forPeople } = this.options;
    const report = await readyReport(
      api,
      {
        base_url: this.publicUrl,
        api_key: credentials.api_key,
        cluster_id: credentials.cluster_id,
        node_id: nodeId,
        model,
        data_dir: directory,
      },
      { host, forPeople },
    );
    return report;
  }

  /** The first start of the npm package, which comes without the engine. Without the network, other engines of this computer still work. */
  private async installEngine(signal: AbortSignal): Promise<boolean> {
    const failure = 'The built-in engine could not be installed';
    return this.installPackages({ signal, name: 'built-in engine', variant: 'llamacpp', failure });
  }

  /**
   * Where there is a graphics processor that the built-in engine can use, and its packages are missing. Without them the processor computes.
   * @returns whether the engine is going to try one
   */
  private async installGraphicsPackage(signal: AbortSignal): Promise<boolean> {
    const { graphicsPackage } = await import('../../../agent/preparation.js');
    const { line, isUsed, missing: variant } = await graphicsPackage(this.env);
    if (line !== undefined) this.options.progress.note(line);
    if (variant === undefined) return isUsed;
    const failure = 'The packages for the graphics processor could not be installed, so the processor computes';
    return this.installPackages({ signal, name: 'packages for the graphics processor', variant, failure });
  }

  /** @returns whether they are there; a failure is said, and keeps nothing else from starting */
  private async installPackages({ signal, name, variant, failure }: PackagesToInstall): Promise<boolean> {
    const { progress } = this.options;
    progress.begin(`${name}, once`);
    const { installBuiltInEngine } = await import('../../../agent/preparation.js');
    // npm takes its time before anything comes, which is no part of the rate.
    let first: { readonly ms: number; readonly bytes: number } | undefined;
    try {
      await installBuiltInEngine(this.env, {
        signal,
        variant,
        onBytes: (done, total) => {
          const ms = systemClock.monotonicMs();
          first ??= { ms, bytes: done };
          const seconds = (ms - first.ms) / 1_000;
          const rate = seconds > 0 ? (done - first.bytes) / seconds : null;
          progress.measure(Math.min(done / total, 0.99), transferDetail(done, total, rate));
        },
      });
      progress.done(name);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      const { message, advice } = error as AdvisedError;
      progress.note(`${failure}: ${printable(message)}`);
      if (advice !== undefined) progress.note(`  try: ${advice}`);
      return false;
    }
  }

  /** Gets the output of the process whose start failed. */
  get suspectLog(): string {
    return this.logOf(this.bringingUp);
  }

  async credentials(): Promise<BootstrapCredentials> {
    const file = credentialsPath(this.options.directory);
    const credentials = await readCredentials(file);
    if (credentials === undefined || !isBootstrap(credentials))
      throw new Error(`the relay is ready but did not write ${file}`);
    return credentials;
  }

  private launch(name: ProcessName, words: readonly string[], graceMs: number): Promise<Facts> {
    return this.options.supervisor.launch({ name, words, env: this.env, logFile: this.logOf(name), graceMs });
  }

  private logOf(name: ProcessName): string {
    return path.join(this.options.directory, 'logs', `${name}.log`);
  }

  get listening(): { readonly host: string; readonly port: number } {
    return { host: this.options.host, port: Number(this.port) };
  }

  /** Local traffic uses this address, whatever public URL `FERRY_BASE_URL` announces. */
  get localUrl(): string {
    const { host } = this.options;
    return `http://${listensEverywhere(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${this.port}`;
  }
}
