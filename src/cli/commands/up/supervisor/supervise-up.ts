/**
 * The process that `ferry up` stays. It is kept small: it loads nothing that is not needed while relay and node run, and leaves arguments,
 * settings, first steps and the screen to the process that it starts for them.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '../../../../kernel/clock.js';
import { InstanceLockedError, type InstanceLock } from '../../../../kernel/instance-lock.js';
import { CliError } from '../../../core/errors/cli-error.js';
import { exitCodes } from '../../../core/errors/exit-codes.js';
import { collectOnceQuiet } from '../../../core/supervision/collect-start.js';
import { SERVICE_VARIABLE } from '../../../core/supervision/service-variable.js';
import { watchStopSignals } from '../../../core/supervision/stop-signals.js';
import { claimDataDirectory, describeInstance } from './claim-data-directory.js';
import { ferryEntry, ProcessPair } from './process-pair.js';
import { SETUP_VARIABLE } from './is-setup.js';
import type { ReadyInstance, SetupRequest, SupervisorMessage } from './setup-channel.js';

/**
 * Returns when Ctrl-C or SIGTERM has stopped relay and node in order, or when the setup has ended without starting them. A second signal stops
 * them at once.
 * @param argv words of `ferry` @returns the exit code
 */
export async function superviseUp(argv: readonly string[]): Promise<number> {
  const supervisor = new UpSupervisor(argv);
  // A closed terminal sends SIGHUP, too, and then everything is to stop.
  const reloads = !process.stderr.isTTY;
  const signals = watchStopSignals(process, systemClock, reloads ? ['SIGHUP'] : []);
  if (reloads) process.on('SIGHUP', supervisor.reload);
  void signals.first.then(supervisor.cancel);
  void signals.second.then(() => {
    supervisor.kill();
    process.exit(exitCodes.interrupted);
  });
  let stopLooking: (() => void) | undefined;
  try {
    const code = await supervisor.setupEnded();
    if (code !== exitCodes.ok || !supervisor.isReady) return code;
    stopLooking = collectOnceQuiet();
    await signals.first;
    note('Stopping; running answers may finish. Ctrl-C again stops at once');
    return exitCodes.ok;
  } finally {
    stopLooking?.();
    await supervisor.stop();
    process.off('SIGHUP', supervisor.reload);
    signals.dispose();
  }
}

const note = (line: string): void => void process.stderr.write(`${line}\n`);

class UpSupervisor {
  private readonly setup: ChildProcess;
  private readonly exited: Promise<readonly [code: number | null, how: string]>;
  private readonly pair = new ProcessPair((line) => {
    if (this.setup.connected) this.send({ kind: 'note', line });
    else note(line);
  });
  private lock: InstanceLock | undefined;
  private instance: ReadyInstance | undefined;
  private isCancelled = false;

  constructor(argv: readonly string[]) {
    this.setup = fork(ferryEntry, [...argv], {
      env: { ...process.env, [SETUP_VARIABLE]: String(process.pid) },
      execArgv: [],
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    this.exited = once(this.setup, 'exit').then(
      ([code, signal]) => [code as number | null, `was ended by ${String(signal)}`],
      // It could not be started: there are too many processes, or too little memory.
      (error: unknown) => [null, `failed: ${String(error)}`],
    );
    this.setup.on('message', (raw) => {
      const { id, ...request } = raw as SetupRequest & { readonly id: number };
      void this.answer(id, request);
    });
  }

  get isReady(): boolean {
    return this.instance !== undefined;
  }

  /** @returns its exit code */
  async setupEnded(): Promise<number> {
    const [code, how] = await this.exited;
    if (code !== null) return code;
    // Ctrl-C before it could handle it, or when it no longer did: it had nothing left to do then.
    if (this.isCancelled) return this.isReady ? exitCodes.ok : exitCodes.interrupted;
    note(`error: the start ${how}`);
    return exitCodes.failure;
  }

  readonly cancel = (): void => {
    this.isCancelled = true;
    this.send({ kind: 'cancel' });
  };

  readonly reload = (): void => {
    this.pair.reload();
  };

  kill(): void {
    this.setup.kill('SIGKILL');
    this.pair.kill();
  }

  async stop(): Promise<void> {
    await this.pair.stop();
    await this.lock?.release();
  }

  private async answer(id: number, request: SetupRequest): Promise<void> {
    try {
      this.send({ kind: 'done', id, ...(await this.fulfil(request)) });
    } catch (error) {
      if (error instanceof InstanceLockedError) {
        this.send({ kind: 'locked', id, directory: error.directory, holder: error.holder });
      } else if (error instanceof CliError) {
        this.send({ kind: 'refused', id, code: error.code, message: error.message, hint: error.hint });
      } else {
        const message = error instanceof Error ? error.message : String(error);
        this.send({ kind: 'refused', id, code: 'failure', message });
      }
    }
  }

  private async fulfil(request: SetupRequest): Promise<Pick<Extract<SupervisorMessage, { kind: 'done' }>, 'facts'>> {
    switch (request.kind) {
      case 'claim':
        this.lock = await claimDataDirectory(request.directory, () =>
          describeInstance(this.instance, process.env[SERVICE_VARIABLE]),
        );
        return {};
      case 'launch':
        return { facts: await this.pair.launch(request.plan) };
      case 'stop':
        await this.pair.stop();
        return {};
      case 'ready':
        this.instance = request.instance;
        return {};
      default:
        return request satisfies never;
    }
  }

  private send(message: SupervisorMessage): void {
    // It may end at any time, and nothing is lost with it.
    if (this.setup.connected) this.setup.send(message, () => undefined);
  }
}
