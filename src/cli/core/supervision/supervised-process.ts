/** Supervises one child process: starts it, waits until it is ready, restarts it with full-jitter back-off, stops it gracefully. */
import type { ChildProcess } from 'node:child_process';
import { fullJitterMs, type BackoffLimits } from '../../../kernel/backoff.js';
import type { Clock, Rng } from '../../../kernel/clock.js';
import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';
import { createDeferred } from './deferred.js';
import { processTreeCpuMs } from './process-tree-cpu.js';
import { startLimits, StartWatch, type StartLimits } from './start-watch.js';
import {
  childMessageOf,
  reconnectMessage,
  reloadMessage,
  stopMessage,
  type ChildMessage,
  type Facts,
} from './messages.js';

export interface SupervisionPolicy {
  readonly restart: BackoffLimits;
  /** An exit after this uptime resets the back-off. */
  readonly stableAfterMs: number;
  readonly start: StartLimits;
}

const defaultPolicy: SupervisionPolicy = {
  restart: { baseMs: 500, maxMs: 10_000 },
  stableAfterMs: 30_000,
  start: startLimits,
};

/** A signal to the process group reaches child and supervisor within this time of each other. */
const GROUP_SIGNAL_MS = 500;

/** The IPC channel may deliver the last message shortly after the exit. */
const LAST_MESSAGE_MS = 500;

interface SupervisionListener {
  ready(facts: Facts): void;
  /** It is still starting, and works. @param step that it last reported, in words that complete "it is …" */
  slow(seconds: number, step: string | undefined): void;
  /** The process exited and restarts in `restartInMs`; undefined when a restart would not help. */
  died(how: string, restartInMs: number | undefined): void;
}

interface SupervisedProcessOptions {
  readonly name: string;
  /** File with the output of the process, for error messages. */
  readonly logFile: string;
  /** Starts the process, with an IPC channel. */
  readonly spawn: () => ChildProcess;
  readonly listener: SupervisionListener;
  readonly clock: Clock;
  readonly random: Rng;
  /** Default: what the system says of the process and of what it has started. */
  readonly cpuMs?: (pid: number) => number | undefined;
  readonly policy?: SupervisionPolicy;
}

type FailedMessage = Extract<ChildMessage, { kind: 'failed' }>;

export class SupervisedProcess {
  private readonly policy: SupervisionPolicy;
  private readonly firstReady = createDeferred<Facts>();
  private readonly ended = createDeferred<undefined>();
  private child: ChildProcess | undefined;
  private restartTimer: NodeJS.Timeout | undefined;
  private wasReady = false;
  /** Restarts are disabled. */
  private staysDown = false;
  private attempt = 0;

  constructor(private readonly options: SupervisedProcessOptions) {
    this.policy = options.policy ?? defaultPolicy;
    // Unobserved when `stop` is called during the start.
    this.firstReady.promise.catch(() => undefined);
  }

  /** @returns the facts that the process reports @throws CliError when it exits before it is ready for the first time */
  start(): Promise<Facts> {
    this.launch();
    return this.firstReady.promise;
  }

  /** Disables restarts without stopping the process, because the service that it depends on is about to be stopped. */
  disableRestarts(): void {
    this.staysDown = true;
    clearTimeout(this.restartTimer);
  }

  /** Tells the process that the service it connects to is ready again. */
  reconnect(): void {
    if (this.child?.connected === true) this.child.send(reconnectMessage, () => undefined);
  }

  /** Tells the process to read its settings file again. */
  reload(): void {
    if (this.child?.connected === true) this.child.send(reloadMessage, () => undefined);
  }

  /** Asks the process to drain and exit; kills it after `graceMs`. Resolves when it has exited. */
  async stop(graceMs: number): Promise<void> {
    this.disableRestarts();
    const child = this.child;
    if (child === undefined) return;
    requestStop(child);
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await this.ended.promise;
    clearTimeout(timer);
  }

  kill(): void {
    this.disableRestarts();
    this.child?.kill('SIGKILL');
  }

  private launch(): void {
    const startedAtMs = this.options.clock.monotonicMs();
    const child = this.options.spawn();
    this.child = child;
    let failed: FailedMessage | undefined;
    const watch = this.watchStart(child);
    child.on('message', (raw) => {
      const message = childMessageOf(raw);
      switch (message?.kind) {
        case 'failed':
          failed = message;
          return;
        case 'stop_requested':
          this.considerStop(child);
          return;
        case 'starting':
          watch.reported(message.step);
          return;
        case 'ready':
          watch.stop();
          this.wasReady = true;
          this.firstReady.resolve(message.facts);
          this.options.listener.ready(message.facts);
          return;
        case undefined:
          return;
        default:
          message satisfies never;
      }
    });

    let over = false;
    const end = (code: number | null, how: string): void => {
      if (over) return;
      over = true;
      watch.stop();
      this.child = undefined;
      this.afterExit(code, failed?.message ?? how, startedAtMs, failed);
    };
    child.on('error', (error) => {
      // A missing pid means that the spawn failed. Other errors concern a message that could not be sent.
      if (child.pid === undefined) end(null, `could not be started: ${error.message}`);
    });
    child.once('exit', (code, signal) => {
      const how = signal === null ? `ended with code ${String(code)}` : `was ended by ${signal}`;
      const timer = setTimeout(() => {
        end(code, how);
      }, LAST_MESSAGE_MS);
      child.once('close', () => {
        clearTimeout(timer);
        end(code, how);
      });
    });
  }

  private watchStart(child: ChildProcess): StartWatch {
    const { clock, listener, cpuMs = processTreeCpuMs } = this.options;
    return new StartWatch({
      limits: this.policy.start,
      clock,
      cpuMs: () => (child.pid === undefined ? undefined : cpuMs(child.pid)),
      slow: (seconds, step) => {
        listener.slow(seconds, step);
      },
      kill: () => child.kill('SIGKILL'),
    });
  }

  private afterExit(code: number | null, how: string, startedAtMs: number, failed: FailedMessage | undefined): void {
    if (this.staysDown || !this.wasReady) {
      this.staysDown = true;
      this.firstReady.reject(this.startFailure(how, failed));
      this.ended.resolve(undefined);
      return;
    }
    // The relay rejects this node's identity, so a restart would fail in the same way.
    if (code === exitCodes.notSignedIn) {
      this.options.listener.died(how, undefined);
      return;
    }
    if (this.options.clock.monotonicMs() - startedAtMs >= this.policy.stableAfterMs) this.attempt = 0;
    const delayMs = fullJitterMs(this.attempt, this.policy.restart, this.options.random);
    this.attempt += 1;
    this.restartTimer = setTimeout(() => {
      this.launch();
    }, delayMs);
    this.options.listener.died(how, delayMs);
  }

  /** SIGTERM to this child alone restarts it. After one to the process group, the supervisor stops its children in order. */
  private considerStop(child: ChildProcess): void {
    setTimeout(() => {
      if (!this.staysDown && child === this.child) requestStop(child);
    }, GROUP_SIGNAL_MS).unref();
  }

  private startFailure(how: string, failed: FailedMessage | undefined): CliError {
    const { name, logFile } = this.options;
    return failed === undefined
      ? new CliError('start_failed', exitCodes.failure, `the ${name} ${how} before it was ready`, {
          hint: `its log says why: ${logFile}`,
        })
      : new CliError(failed.code, exitCodes.failure, failed.message, { hint: failed.hint ?? undefined });
  }
}

function requestStop(child: ChildProcess): void {
  if (child.connected) child.send(stopMessage, () => undefined);
}
