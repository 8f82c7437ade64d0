/** Runs a service in the foreground until it is told to stop: by a signal, by its supervisor, or by its supervisor's death. */
import { systemClock, type Clock } from '../../../kernel/clock.js';
import { classifyFailure } from '../errors/classify-failure.js';
import { exitCodes } from '../errors/exit-codes.js';
import { createDeferred } from './deferred.js';
import { isReconnectMessage, isStopMessage, type ChildMessage, type Facts } from './messages.js';
import { watchStopSignals, type SignalSource, type StopSignal } from './stop-signals.js';

export interface RunningService {
  /** What a supervisor and people want to know, such as the address. No secrets. */
  readonly facts: Facts;
  /** Finishes what runs, within the given time or else the service's own deadline, and frees everything. */
  close(drainLimitMs?: number): Promise<void>;
  /** The supervisor knows that the service's peer is ready again. Absent: the service connects to no other. */
  reconnect?(): void;
  /** Rejects when the service cannot go on by itself. Absent: it never ends unasked. */
  readonly failed?: Promise<never>;
}

/** The part of `process` that is used here. `send` and `disconnect` exist only under a supervisor. */
export interface ServiceProcess extends SignalSource {
  readonly connected: boolean;
  send?(message: ChildMessage): boolean;
  disconnect?(): void;
  exit(code: number): void;
  on(event: StopSignal | 'message' | 'disconnect', listener: (message: unknown) => void): unknown;
  removeAllListeners(event: 'message' | 'disconnect'): unknown;
}

/** Without a supervisor nobody will ever collect us: no drain is worth keeping the port for longer than this. */
const ORPHAN_DEADLINE_MS = 5_000;
const ORPHAN_DRAIN_MS = 3_000;
/** A handle that somebody forgot must not keep a stopped service alive. */
const LINGER_MS = 2_000;

/** Resolves when the service has stopped as asked. @throws what made it fail to start or to go on */
export async function runService(
  start: () => Promise<RunningService>,
  host: ServiceProcess = process,
  clock: Clock = systemClock,
): Promise<void> {
  const supervised = host.send !== undefined;
  // The time that is left for running work; undefined: as much as the service itself allows.
  const stop = createDeferred<number | undefined>();
  const signals = watchStopSignals(host, clock, supervised ? ['SIGINT', 'SIGHUP'] : []);
  void signals.first.then(() => {
    if (supervised) tell(host, { kind: 'stop_requested' });
    else stop.resolve(undefined);
  });
  void signals.second.then(() => {
    host.exit(exitCodes.interrupted);
  });
  let running: RunningService | undefined;
  if (supervised) {
    host.on('message', (message: unknown) => {
      if (isStopMessage(message)) stop.resolve(undefined);
      else if (isReconnectMessage(message)) running?.reconnect?.();
    });
    host.on('disconnect', () => {
      stop.resolve(ORPHAN_DRAIN_MS);
      exitLater(host, ORPHAN_DEADLINE_MS, exitCodes.failure);
    });
  }

  try {
    const service = (running = await start());
    if (supervised) tell(host, { kind: 'ready', facts: service.facts });
    await service.close(await Promise.race([stop.promise, service.failed ?? stop.promise]));
  } catch (error) {
    const { code, message, hint } = classifyFailure(error);
    if (supervised) tell(host, { kind: 'failed', code, message, hint: hint ?? null });
    throw error;
  } finally {
    signals.dispose();
    if (supervised) {
      host.removeAllListeners('message');
      host.removeAllListeners('disconnect');
      if (host.connected) host.disconnect?.();
    }
    exitLater(host, LINGER_MS, undefined);
  }
}

function tell(host: ServiceProcess, message: ChildMessage): void {
  if (host.connected) host.send?.(message);
}

function exitLater(host: ServiceProcess, afterMs: number, code: number | undefined): void {
  setTimeout(() => {
    host.exit(code ?? Number(process.exitCode ?? exitCodes.ok));
  }, afterMs).unref();
}
