/** One child process that is kept alive: started, waited for, restarted with full-jitter backoff when it dies, stopped in order. */
import type { ChildProcess } from 'node:child_process';
import { fullJitterMs, type BackoffLimits } from '../../kernel/backoff.js';
import type { Clock, Rng } from '../../kernel/clock.js';
import { CliError } from '../failure/cli-error.js';
import { exitCodes } from '../failure/exit-codes.js';
import { createDeferred } from './deferred.js';
import { childMessage, stopMessage, type ChildMessage, type Facts } from './messages.js';

export interface SupervisionPolicy {
  readonly restart: BackoffLimits;
  /** After this much uptime the next death counts as the first again. */
  readonly stableAfterMs: number;
  /** A start that takes longer is killed, and counts as a death. */
  readonly readyWithinMs: number;
}

export const defaultPolicy: SupervisionPolicy = {
  restart: { baseMs: 500, maxMs: 10_000 },
  stableAfterMs: 30_000,
  readyWithinMs: 60_000,
};

/** The IPC channel may deliver the last message a moment after the exit. */
const LAST_WORDS_MS = 500;

export interface SupervisionListener {
  ready(facts: Facts): void;
  /** It died and comes back in `restartInMs`; undefined: restarting would not help, so it stays down. */
  died(how: string, restartInMs: number | undefined): void;
}

export interface SupervisedProcessOptions {
  readonly name: string;
  /** Where it can be read what the process printed. */
  readonly logFile: string;
  /** Starts the process, with an IPC channel. */
  readonly spawn: () => ChildProcess;
  readonly listener: SupervisionListener;
  readonly clock: Clock;
  readonly random: Rng;
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
  private stopping = false;
  private attempt = 0;

  constructor(private readonly options: SupervisedProcessOptions) {
    this.policy = options.policy ?? defaultPolicy;
    // Whoever stops us during the start no longer waits for it.
    this.firstReady.promise.catch(() => undefined);
  }

  /** @returns what the process says about itself. @throws CliError when it ends before it is ready for the first time */
  start(): Promise<Facts> {
    this.launch();
    return this.firstReady.promise;
  }

  /** Asks the process to drain and end; kills it after `graceMs`. Resolves when it is gone. Never started: at once. */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restartTimer);
    const child = this.child;
    if (child === undefined) return;
    if (child.connected) child.send(stopMessage, () => undefined);
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await this.ended.promise;
    clearTimeout(timer);
  }

  kill(): void {
    this.stopping = true;
    clearTimeout(this.restartTimer);
    this.child?.kill('SIGKILL');
  }

  private launch(): void {
    const startedAtMs = this.options.clock.monotonicMs();
    const child = this.options.spawn();
    this.child = child;
    let failed: FailedMessage | undefined;
    const startTimer = setTimeout(() => child.kill('SIGKILL'), this.policy.readyWithinMs);
    child.on('message', (raw) => {
      const message = childMessage.safeParse(raw).data;
      if (message?.kind === 'failed') failed = message;
      if (message?.kind !== 'ready') return;
      clearTimeout(startTimer);
      this.wasReady = true;
      this.firstReady.resolve(message.facts);
      this.options.listener.ready(message.facts);
    });

    let over = false;
    const end = (code: number | null, how: string): void => {
      if (over) return;
      over = true;
      clearTimeout(startTimer);
      this.child = undefined;
      this.afterDeath(code, failed?.message ?? how, startedAtMs, failed);
    };
    child.on('error', (error) => {
      // Without a process id it could not be started at all; any other error is about a message that could not be sent.
      if (child.pid === undefined) end(null, `could not be started: ${error.message}`);
    });
    child.once('exit', (code, signal) => {
      const how = signal === null ? `ended with code ${String(code)}` : `was ended by ${signal}`;
      const timer = setTimeout(() => {
        end(code, how);
      }, LAST_WORDS_MS);
      child.once('close', () => {
        clearTimeout(timer);
        end(code, how);
      });
    });
  }

  private afterDeath(code: number | null, how: string, startedAtMs: number, failed: FailedMessage | undefined): void {
    if (this.stopping || !this.wasReady) {
      this.stopping = true;
      this.firstReady.reject(this.startFailure(how, failed));
      this.ended.resolve(undefined);
      return;
    }
    // The relay refuses this node's identity: trying again would only hammer it.
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

  private startFailure(how: string, failed: FailedMessage | undefined): CliError {
    const { name, logFile } = this.options;
    return failed === undefined
      ? new CliError('start_failed', exitCodes.failure, `the ${name} ${how} before it was ready (log: ${logFile})`)
      : new CliError(failed.code, exitCodes.failure, failed.message, { hint: failed.hint ?? undefined });
  }
}
