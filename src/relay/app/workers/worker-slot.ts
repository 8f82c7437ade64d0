import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { AdvisedError } from '../../../kernel/errors/advised-error.js';
import type {
  BusMessage,
  FromWorker,
  HandedLink,
  StartFailure,
  ToWorker,
  WorkerReady,
} from '../../platform/workers/worker-messages.js';
import type { BusHub } from './bus-hub.js';

export interface WorkerSlotOptions {
  /** From 1. */
  readonly worker: number;
  readonly workers: number;
  /** On which other workers listen already. */
  readonly port: () => number | undefined;
  readonly hub: BusHub;
  /** Bytes of messages of the bus that wait for one worker; more are lost. */
  readonly pendingLimitBytes: number;
  readonly logger: Logger;
  /** A link for another worker. */
  readonly onLink: (link: HandedLink, connection: Socket) => void;
  readonly begin?: ((step: string) => void) | undefined;
}

/** Pauses before a worker is replaced, after it has ended so many times soon after its start. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** One that has run so long did not end because of its start. */
const STARTED_WELL_MS = 60_000;

/** One worker of the relay, and whatever process is it at the moment: one that ends is replaced, and only its connections are lost. */
export class WorkerSlot {
  private process: Worker | undefined;
  private ready: WorkerReady | undefined;
  private draining = false;
  private endings = 0;
  private restart: NodeJS.Timeout | undefined;
  private unsentBytes = 0;
  private lastMetricsId = 0;
  private readonly metrics = new Map<number, (text: string) => void>();

  constructor(private readonly options: WorkerSlotOptions) {}

  /** The first process. @throws the error with which it did not start */
  start(): Promise<WorkerReady> {
    return new Promise((resolve, reject) => {
      this.fork(resolve, (error) => {
        reject(error);
        return 'give_up';
      });
    });
  }

  send(message: ToWorker): boolean {
    if (this.process?.isConnected() !== true) return false;
    return this.process.send(message);
  }

  /** Resolves when its process has ended. @param timeoutMs how long running streams may go on; undefined: by the worker's own setting */
  async drain(timeoutMs: number | undefined): Promise<void> {
    this.draining = true;
    clearTimeout(this.restart);
    const { process } = this;
    if (process === undefined || process.isDead()) return;
    const ended = once(process, 'exit');
    // One that has not started yet has nothing to drain.
    if (this.ready === undefined || !this.send({ kind: 'drain', timeoutMs })) process.process.kill('SIGKILL');
    await ended;
  }

  /** @returns undefined when the worker is not running, or does not answer in time */
  readMetrics(timeoutMs: number): Promise<string | undefined> {
    const id = (this.lastMetricsId += 1);
    return new Promise((resolve) => {
      const settle = (text?: string): void => {
        clearTimeout(timer);
        this.metrics.delete(id);
        resolve(text);
      };
      const timer = setTimeout(settle, timeoutMs);
      this.metrics.set(id, settle);
      if (this.ready === undefined || !this.send({ kind: 'metrics', id })) settle();
    });
  }

  /** @param onFailed the process ended before it was ready: whether another one is started */
  private fork(onReady: (ready: WorkerReady) => void, onFailed: (error: Error) => 'try_again' | 'give_up'): void {
    const { worker, workers, port } = this.options;
    const forked = cluster.fork();
    const startedMs = performance.now();
    let failure: StartFailure | undefined;
    let leave: (() => void) | undefined;
    this.process = forked;
    this.ready = undefined;
    this.unsentBytes = 0;
    forked.on('message', (message: FromWorker, handle: unknown) => {
      if (message.kind === 'hello') forked.send({ kind: 'start', worker, workers, port: port() } satisfies ToWorker);
      else if (message.kind === 'ready') {
        this.ready = message;
        onReady(message);
      } else if (message.kind === 'failed') failure = message.error;
      else if (message.kind === 'bus') {
        // Before it is ready: it asks the others for their nodes and limits, and serves only when they have responded.
        leave ??= this.options.hub.join(message.from, (passed) => this.pass(forked, passed));
        this.options.hub.pass(message);
      } else this.receive(message, handle as Socket | undefined);
    });
    forked.once('exit', (code, signal: string | null) => {
      leave?.();
      const wasReady = this.ready !== undefined;
      this.ready = undefined;
      for (const settle of [...this.metrics.values()]) settle('');
      if (this.draining) return;
      const ended = signal === null ? `exit code ${code}` : signal;
      const error = errorOf(failure, `a worker of the relay ended while it started (${ended})`);
      if (!wasReady && onFailed(error) === 'give_up') return;
      this.endings = performance.now() - startedMs < STARTED_WELL_MS ? this.endings + 1 : 1;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.endings - 1));
      this.options.logger.error({ worker, ended, pause_ms: pauseMs }, 'a worker ended, and is replaced');
      this.restart = setTimeout(() => {
        this.fork(
          () => {
            this.options.logger.info({ worker }, 'the worker is replaced');
          },
          (error) => {
            this.options.logger.error({ worker, error: error.message }, 'the worker could not be replaced yet');
            return 'try_again';
          },
        );
      }, pauseMs);
    });
  }

  /** @returns false when it cannot take the connection now */
  takeLink(link: HandedLink, connection: Socket): boolean {
    if (this.ready === undefined || link.linked.includes(this.ready.replicaId)) return false;
    if (this.process?.isConnected() !== true) return false;
    this.process.send(link, connection, () => {
      // The worker that it came from waits for this at its drain.
      connection.destroy();
    });
    return true;
  }

  private receive(
    message: Exclude<FromWorker, WorkerReady | BusMessage | { readonly kind: 'failed' | 'hello' }>,
    handle: Socket | undefined,
  ): void {
    switch (message.kind) {
      case 'step':
        this.options.begin?.(message.step);
        return;
      case 'metrics':
        this.metrics.get(message.id)?.(message.text);
        return;
      case 'link':
        if (handle !== undefined) this.options.onLink(message, handle);
    }
  }

  private pass(process: Worker, message: BusMessage): boolean {
    const bytes = 'bytes' in message ? message.bytes.length : 0;
    if (!process.isConnected() || this.unsentBytes + bytes > this.options.pendingLimitBytes) return false;
    this.unsentBytes += bytes;
    process.send(message, undefined, () => {
      if (this.process === process) this.unsentBytes -= bytes;
    });
    return true;
  }
}

function errorOf(failure: StartFailure | undefined, otherwise: string): Error {
  if (failure === undefined) return new Error(otherwise);
  const { message, code, advice } = failure;
  const error = advice === undefined ? new Error(message) : new AdvisedError(message, advice);
  return code === undefined ? error : Object.assign(error, { code });
}
