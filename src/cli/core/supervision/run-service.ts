/** Runs a service in the foreground until a signal, a message of its supervisor or the death of its supervisor stops it. */
import { systemClock, type Clock } from '../../../kernel/clock.js';
import { classifyFailure } from '../errors/classify-failure.js';
import { exitCodes } from '../errors/exit-codes.js';
import { collectOnceQuiet } from './collect-start.js';
import { createDeferred } from './deferred.js';
import { isReconnectMessage, isReloadMessage, isStopMessage, type ChildMessage, type Facts } from './messages.js';
import { watchStopSignals, type SignalSource, type StopSignal } from './stop-signals.js';

export interface RunningService {
  /** Description of the service for its supervisor, such as the address. No secrets. */
  readonly facts: Facts;
  /** Drains within the given time (default: the service's own deadline) and releases all resources. */
  close(drainLimitMs?: number): Promise<void>;
  /** Called when the service that this one connects to is ready again. Absent if it connects to none. */
  reconnect?(): void;
  /** Called on SIGHUP, unless a terminal that was closed may have sent it. */
  reload?(): void;
  /** Rejects when the service fails while running. Absent if it never does. */
  readonly failed?: Promise<never>;
  /** Resolves when nothing that was configured wrong can end the service any more. Absent: as soon as it has started. */
  readonly settled?: Promise<void>;
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

/** After the death of its supervisor the process must free its port soon, so the drain is short. */
const ORPHAN_DEADLINE_MS = 5_000;
const ORPHAN_DRAIN_MS = 3_000;
/** A leaked handle must not keep a stopped service alive. */
const LINGER_MS = 2_000;

/**
 * Resolves when the service has stopped on request. @throws the error that made it fail
 * @param start tells which step it begins, in words that complete "it is …"
 */
export async function runService(
  start: (begin: (step: string) => void) => Promise<RunningService>,
  host: ServiceProcess = process,
  clock: Clock = systemClock,
  isOnTerminal = process.stderr.isTTY,
): Promise<void> {
  const supervised = host.send !== undefined;
  // The time limit of the drain; undefined for the service's own deadline.
  const stop = createDeferred<number | undefined>();
  const reloads = !supervised && !isOnTerminal;
  const signals = watchStopSignals(host, clock, supervised ? ['SIGINT', 'SIGHUP'] : reloads ? ['SIGHUP'] : []);
  void signals.first.then(() => {
    if (supervised) report(host, { kind: 'stop_requested' });
    else stop.resolve(undefined);
  });
  void signals.second.then(() => {
    host.exit(exitCodes.interrupted);
  });
  let running: RunningService | undefined;
  let stopLooking: (() => void) | undefined;
  const reload = (): void => running?.reload?.();
  if (reloads) host.on('SIGHUP', reload);
  if (supervised) {
    host.on('message', (message: unknown) => {
      if (isStopMessage(message)) stop.resolve(undefined);
      else if (isReconnectMessage(message)) running?.reconnect?.();
      else if (isReloadMessage(message)) reload();
    });
    host.on('disconnect', () => {
      stop.resolve(ORPHAN_DRAIN_MS);
      exitLater(host, ORPHAN_DEADLINE_MS, exitCodes.failure);
    });
  }

  try {
    const service = (running = await start((step) => {
      if (supervised) report(host, { kind: 'starting', step });
    }));
    if (supervised) report(host, { kind: 'ready', facts: service.facts });
    stopLooking = collectOnceQuiet();
    await service.close(await Promise.race([stop.promise, service.failed ?? stop.promise]));
  } catch (error) {
    const { code, message, hint } = classifyFailure(error);
    if (supervised) report(host, { kind: 'failed', code, message, hint: hint ?? null });
    throw error;
  } finally {
    stopLooking?.();
    signals.dispose();
    host.off('SIGHUP', reload);
    if (supervised) {
      host.removeAllListeners('message');
      host.removeAllListeners('disconnect');
      if (host.connected) host.disconnect?.();
    }
    exitLater(host, LINGER_MS, undefined);
  }
}

function report(host: ServiceProcess, message: ChildMessage): void {
  if (host.connected) host.send?.(message);
}

function exitLater(host: ServiceProcess, afterMs: number, code: number | undefined): void {
  setTimeout(() => {
    host.exit(code ?? Number(process.exitCode ?? exitCodes.ok));
  }, afterMs).unref();
}
