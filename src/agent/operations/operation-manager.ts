import type { Clock } from '../../kernel/clock.js';
import type { CommandMessage, OperationKind, ProgressMessage, ResultMessage } from '../../link/messages.js';
import { settledWithin, type Timers } from '../connection/timers.js';
import type { OperationProgress } from '../engines/engine-management.js';
import { FinishedOperations } from './finished-operations.js';
import type { OperableEngines } from './operable-engines.js';
import { describeCommand, type OperationCommand } from './operation-command.js';
import { NodeOperation, type PacedOperation } from './node-operation.js';
import { startable } from './operation-scheduler.js';
import { OperationSender, type OperationOutlet } from './operation-sender.js';
import { causeOf, resultOf, type OperationOutcome } from './operation-result.js';
import type { OperationsFile } from './operations-file.js';
import { ProgressPacer } from './progress-pacer.js';
import { runOperation } from './run-operation.js';

/** Queued and running. */
export const MAX_LIVE_OPERATIONS = 32;
/** After the start of the node: time to discover engines and to load the built-in one. */
export const ENGINE_SEARCH_MS = 30_000;
/** After this long the operation counts as cancelled even if the engine has not stopped. */
export const CANCEL_GRACE_MS = 10_000;
const STOP_TIMEOUT_MS = 5_000;

export interface OperationView {
  readonly id: string;
  readonly kind: OperationKind;
  /** A model's key, or the source of an install. */
  readonly subject: string;
  readonly state: ProgressMessage['state'];
  readonly phase: string;
  readonly completed_bytes: number | null;
  readonly total_bytes: number | null;
}

interface OperationManagerOptions {
  readonly engines: OperableEngines;
  readonly file: Pick<OperationsFile, 'read' | 'save' | 'close'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Readonly<Record<'info' | 'warn', (details: object, message: string) => void>>;
  readonly onUnexpected: (error: unknown) => void;
}

/**
 * Runs the node's operations (docs/reference/link.md#messages). Each begins with a COMMAND, continues without a link and across restarts,
 * and ends with one RESULT, which is sent again after every READY. A known id never starts a second run.
 */
export class OperationManager {
  /** Operations are in their order of arrival. */
  private readonly operations = new Map<string, PacedOperation>();
  private readonly running = new Map<NodeOperation, Promise<void>>();
  private readonly finished: FinishedOperations;
  private readonly sender: OperationSender;
  private headStartEndsAtMs = Number.NEGATIVE_INFINITY;
  private state: 'open' | 'closed' | 'stopping' = 'open';

  constructor(private readonly options: OperationManagerOptions) {
    this.finished = new FinishedOperations(options.clock);
    this.sender = new OperationSender(options.onUnexpected);
  }

  /** Shown to people at the node. */
  get live(): OperationView[] {
    return Array.from(this.operations.values(), ({ operation }) => {
      const { command } = operation;
      const { operation_id: id, ...progress } = operation.message();
      return {
        id,
        kind: command.verb,
        subject: command.verb === 'install' ? command.source : command.model_key,
        ...progress,
      };
    });
  }

  /** Resumes operations of the previous process. Call once, before the first link. */
  async start(): Promise<void> {
    const { file, clock } = this.options;
    const { live, finished } = await file.read();
    this.headStartEndsAtMs = clock.monotonicMs() + ENGINE_SEARCH_MS;
    for (const { result, finished_at_ms: finishedAtMs } of finished) this.finished.add(result, finishedAtMs);
    for (const { command, started, cancel_requested: cancelled } of live.slice(0, MAX_LIVE_OPERATIONS)) {
      if (this.finished.find(command.operation_id) !== undefined) continue;
      const operation = this.enter(command, started);
      if (cancelled) this.conclude(operation, { outcome: 'cancelled' });
    }
    this.startWhatMay();
  }

  /** A COMMAND from any link. */
  take(command: CommandMessage, replica = ''): void {
    // The relay sends it again after the next READY.
    if (this.state !== 'open') return;
    const known = this.operations.get(command.operation_id);
    this.sender.commandedBy(replica, command.operation_id, known !== undefined && command.verb !== 'cancel');
    const result = this.finished.find(command.operation_id);
    if (result !== undefined) this.sender.result(result);
    else if (command.verb === 'cancel') this.cancel(command.operation_id, known?.operation);
    else if (known !== undefined) known.pacer.sendNow();
    else this.accept(command);
  }

  /** The link was admitted. */
  attach(outlet: OperationOutlet, replica = ''): void {
    this.sender.attach(outlet, replica);
    for (const { result } of this.finished.all()) this.sender.resultTo(outlet, result);
    for (const { operation, pacer } of this.operations.values()) {
      if (this.sender.reaches(replica, operation.id)) pacer.sendNow();
      else this.sender.progressTo(outlet, operation.message());
    }
  }

  /** The link has ended. */
  detach(outlet: OperationOutlet): void {
    this.sender.detach(outlet);
  }

  /** The node leaves: starts no operations; running ones continue until `stop`. */
  close(): void {
    if (this.state === 'open') this.state = 'closed';
  }

  /** Interrupts running operations, which stay in the file for the next start. Call before the engines are stopped. */
  async stop(): Promise<void> {
    if (this.state !== 'stopping') {
      this.state = 'stopping';
      for (const operation of this.running.keys()) operation.abort();
      await settledWithin(Promise.all(this.running.values()), STOP_TIMEOUT_MS, this.options.timers);
      for (const { operation, pacer } of this.operations.values()) {
        pacer.stop();
        operation.cancelGrace?.();
      }
    }
    await this.options.file.close();
  }

  private accept(command: OperationCommand): void {
    if (this.operations.size >= MAX_LIVE_OPERATIONS) {
      const message = `This node has ${MAX_LIVE_OPERATIONS} unfinished operations. Wait for some to finish, or cancel some.`;
      this.remember({
        operation_id: command.operation_id,
        outcome: 'failed',
        failure: { code: 'too_many_operations', message },
        model_key: command.verb === 'install' ? null : command.model_key,
      });
      return;
    }
    const operation = this.enter(command, false);
    this.save();
    this.startWhatMay();
    // An operation that started at once has reported already.
    if (operation.state === 'queued') this.operations.get(operation.id)?.pacer.sendNow();
  }

  private enter(command: OperationCommand, resumed: boolean): NodeOperation {
    const { clock, timers } = this.options;
    const operation = new NodeOperation(command, resumed);
    const pacer = new ProgressPacer(clock, timers, () => {
      this.sender.progress(operation.message());
    });
    this.operations.set(operation.id, { operation, pacer });
    return operation;
  }

  private cancel(id: string, operation: NodeOperation | undefined): void {
    if (operation === undefined) {
      // A COMMAND that arrives after its own cancel must not start.
      this.remember({ operation_id: id, outcome: 'cancelled', failure: null, model_key: null });
    } else if (operation.state === 'queued') {
      this.conclude(operation, { outcome: 'cancelled' });
    } else if (!operation.cancelRequested) {
      operation.cancelRequested = true;
      this.save();
      operation.abort();
      operation.cancelGrace = this.options.timers.after(CANCEL_GRACE_MS, () => {
        this.conclude(operation, { outcome: 'cancelled' });
      });
    }
  }

  private startWhatMay(): void {
    if (this.state !== 'open') return;
    const operations = Array.from(this.operations.values(), ({ operation }) => operation);
    for (const operation of startable(operations, this.running.keys())) this.begin(operation);
  }

  private begin(operation: NodeOperation): void {
    this.options.log.info(describeCommand(operation.command), `${operation.command.verb} begins`);
    operation.state = 'running';
    this.running.set(operation, this.run(operation));
    this.save();
  }

  private async run(operation: NodeOperation): Promise<void> {
    const { engines, clock, timers } = this.options;
    this.report(operation, { phase: 'starting', completedBytes: null, totalBytes: null });
    let conclusion: OperationOutcome;
    try {
      const modelKey = await runOperation({
        command: operation.command,
        resumed: operation.resumed,
        engines,
        headStart: { clock, timers, endsAtMs: this.headStartEndsAtMs },
        context: {
          signal: operation.signal,
          report: (progress) => {
            this.report(operation, progress);
          },
        },
        onEngineSettled: (engine) => {
          if (operation.command.verb !== 'install') return;
          operation.command = { ...operation.command, engine };
          this.save();
        },
        onInstalled: (load) => {
          operation.command = load;
          this.save();
        },
      });
      conclusion = { outcome: 'succeeded', modelKey };
    } catch (error) {
      conclusion = operation.cancelRequested ? { outcome: 'cancelled' } : { outcome: 'failed', error };
    }
    this.running.delete(operation);
    // Interrupted by shutdown: the next process resumes it.
    if (conclusion.outcome !== 'failed' || this.state !== 'stopping') this.conclude(operation, conclusion);
    this.startWhatMay();
  }

  private report(operation: NodeOperation, progress: OperationProgress): void {
    const paced = this.operations.get(operation.id);
    if (paced?.operation === operation && operation.take(progress)) paced.pacer.changed();
  }

  /** The one place where an operation ends; a second call for the same one does nothing. */
  private conclude(operation: NodeOperation, conclusion: OperationOutcome): void {
    const paced = this.operations.get(operation.id);
    if (paced?.operation !== operation) return;
    paced.pacer.flush();
    this.operations.delete(operation.id);
    operation.cancelGrace?.();
    const result = resultOf(operation.command, conclusion, this.options.onUnexpected);
    const { outcome, failure } = result;
    const cause = causeOf(conclusion);
    this.options.log[outcome === 'failed' ? 'warn' : 'info'](
      { ...describeCommand(operation.command), code: failure?.code, cause },
      `${operation.command.verb} ${outcome}`,
    );
    this.remember(result);
  }

  private remember(result: ResultMessage): void {
    this.finished.add(result);
    this.save();
    this.sender.result(result);
  }

  private save(): void {
    this.options.file.save(() => ({
      live: Array.from(this.operations.values(), ({ operation }) => ({
        command: operation.command,
        started: operation.state === 'running' || operation.resumed,
        cancel_requested: operation.cancelRequested,
      })),
      finished: this.finished.all(),
    }));
  }
}
