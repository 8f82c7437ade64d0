import type { Clock } from '../../kernel/clock.js';
import type { CommandMessage, OperationKind, ProgressMessage, ResultMessage } from '../../link/messages.js';
import { settledWithin, type Timers } from '../connection/timers.js';
import type { OperationProgress } from '../engines/engine-management.js';
import { FinishedOperations } from './finished-operations.js';
import type { OperableEngines } from './operable-engines.js';
import { describeCommand, type OperationCommand } from './operation-command.js';
import { OperationJob, type PacedJob } from './operation-job.js';
import { mayBegin } from './operation-order.js';
import { OperationReports, type OperationOutlet } from './operation-reports.js';
import { causeOf, resultOf, type OperationEnding } from './operation-result.js';
import type { OperationsFile } from './operations-file.js';
import { ProgressPacer } from './progress-pacer.js';
import { runOperation } from './run-operation.js';

/** Queued and running. */
export const MAX_LIVE_OPERATIONS = 32;
/** From the start of the node: engines take this long to be found, and the built-in one to load. */
export const ENGINE_SEARCH_MS = 30_000;
/** An engine that does not let go by then is left to itself: the owner is told that the operation is cancelled. */
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

export interface OperationManagerOptions {
  readonly engines: OperableEngines;
  readonly file: Pick<OperationsFile, 'read' | 'save' | 'close'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: { info(details: object, message: string): void };
  readonly onUnexpected: (error: unknown) => void;
}

/**
 * The node's jobs (docs/reference/link.md#messages): they begin with a COMMAND, go on without a link and across restarts, and end with
 * one RESULT, which is said again after every READY. An id that is known never starts anything.
 */
export class OperationManager {
  /** In the order in which they came. */
  private readonly jobs = new Map<string, PacedJob>();
  private readonly running = new Map<OperationJob, Promise<void>>();
  private readonly finished: FinishedOperations;
  private readonly reports: OperationReports;
  private headStartEndsAtMs = Number.NEGATIVE_INFINITY;
  private state: 'open' | 'closed' | 'stopping' = 'open';

  constructor(private readonly options: OperationManagerOptions) {
    this.finished = new FinishedOperations(options.clock);
    this.reports = new OperationReports(options.onUnexpected);
  }

  /** For people at the node. */
  get live(): OperationView[] {
    return Array.from(this.jobs.values(), ({ job }) => {
      const { command } = job;
      const { operation_id: id, ...progress } = job.message();
      return {
        id,
        kind: command.verb,
        subject: command.verb === 'install' ? command.source : command.model_key,
        ...progress,
      };
    });
  }

  /** Takes up what the process before left, once and before the first link. */
  async start(): Promise<void> {
    const { file, clock } = this.options;
    const { live, finished } = await file.read();
    this.headStartEndsAtMs = clock.monotonicMs() + ENGINE_SEARCH_MS;
    for (const { result, finished_at_ms: finishedAtMs } of finished) this.finished.add(result, finishedAtMs);
    for (const { command, started, cancel_requested: cancelled } of live.slice(0, MAX_LIVE_OPERATIONS)) {
      if (this.finished.find(command.operation_id) !== undefined) continue;
      const job = this.enter(command, started);
      if (cancelled) this.conclude(job, { outcome: 'cancelled' });
    }
    this.startWhatMay();
  }

  /** A COMMAND from whichever link; the answer goes to the one that stands. */
  take(command: CommandMessage): void {
    // The relay sends it again after the next READY.
    if (this.state !== 'open') return;
    const known = this.jobs.get(command.operation_id);
    const result = this.finished.find(command.operation_id);
    if (result !== undefined) this.reports.result(result);
    else if (command.verb === 'cancel') this.cancel(command.operation_id, known?.job);
    else if (known !== undefined) known.pacer.sendNow();
    else this.accept(command);
  }

  /** The link was admitted, and is the one that stands from here on. */
  attach(outlet: OperationOutlet): void {
    this.reports.attach(outlet);
    for (const { result } of this.finished.all()) this.reports.result(result);
    for (const { pacer } of this.jobs.values()) pacer.sendNow();
  }

  /** The link has ended. */
  detach(outlet: OperationOutlet): void {
    this.reports.detach(outlet);
  }

  /** The node leaves: nothing new begins, what runs goes on until `stop`. */
  close(): void {
    if (this.state === 'open') this.state = 'closed';
  }

  /** What runs is interrupted and stays in the file, so that the next start goes on with it. Before the engines are stopped. */
  async stop(): Promise<void> {
    if (this.state !== 'stopping') {
      this.state = 'stopping';
      for (const job of this.running.keys()) job.abort();
      await settledWithin(Promise.all(this.running.values()), STOP_TIMEOUT_MS, this.options.timers);
      for (const { job, pacer } of this.jobs.values()) {
        pacer.stop();
        job.cancelGrace?.();
      }
    }
    await this.options.file.close();
  }

  private accept(command: OperationCommand): void {
    if (this.jobs.size >= MAX_LIVE_OPERATIONS) {
      const message = `This node has ${MAX_LIVE_OPERATIONS} operations to do. Wait for some to finish, or cancel some.`;
      this.remember({
        operation_id: command.operation_id,
        outcome: 'failed',
        failure: { code: 'too_many_operations', message },
        model_key: command.verb === 'install' ? null : command.model_key,
      });
      return;
    }
    const job = this.enter(command, false);
    this.save();
    this.startWhatMay();
    // One that began at once has said so.
    if (job.state === 'queued') this.jobs.get(job.id)?.pacer.sendNow();
  }

  private enter(command: OperationCommand, resumed: boolean): OperationJob {
    const { clock, timers } = this.options;
    const job = new OperationJob(command, resumed);
    const pacer = new ProgressPacer(clock, timers, () => {
      this.reports.progress(job.message());
    });
    this.jobs.set(job.id, { job, pacer });
    return job;
  }

  private cancel(id: string, job: OperationJob | undefined): void {
    if (job === undefined) {
      // A COMMAND that comes behind its own cancel begins nothing.
      this.remember({ operation_id: id, outcome: 'cancelled', failure: null, model_key: null });
    } else if (job.state === 'queued') {
      this.conclude(job, { outcome: 'cancelled' });
    } else if (!job.cancelRequested) {
      job.cancelRequested = true;
      this.save();
      job.abort();
      job.cancelGrace = this.options.timers.after(CANCEL_GRACE_MS, () => {
        this.conclude(job, { outcome: 'cancelled' });
      });
    }
  }

  private startWhatMay(): void {
    if (this.state !== 'open') return;
    const jobs = Array.from(this.jobs.values(), ({ job }) => job);
    for (const job of mayBegin(jobs, this.running.keys())) this.begin(job);
  }

  private begin(job: OperationJob): void {
    this.options.log.info(describeCommand(job.command), 'operation begins');
    job.state = 'running';
    this.running.set(job, this.run(job));
    this.save();
  }

  private async run(job: OperationJob): Promise<void> {
    const { engines, clock, timers } = this.options;
    this.report(job, { phase: 'starting', completedBytes: null, totalBytes: null });
    let ending: OperationEnding;
    try {
      const modelKey = await runOperation({
        command: job.command,
        resumed: job.resumed,
        engines,
        headStart: { clock, timers, endsAtMs: this.headStartEndsAtMs },
        context: {
          signal: job.signal,
          report: (progress) => {
            this.report(job, progress);
          },
        },
        onEngineSettled: (engine) => {
          if (job.command.verb !== 'install') return;
          job.command = { ...job.command, engine };
          this.save();
        },
        onInstalled: (load) => {
          job.command = load;
          this.save();
        },
      });
      ending = { outcome: 'succeeded', modelKey };
    } catch (error) {
      ending = job.cancelRequested ? { outcome: 'cancelled' } : { outcome: 'failed', error };
    }
    this.running.delete(job);
    // Interrupted by the end of the process: the next one goes on.
    if (ending.outcome !== 'failed' || this.state !== 'stopping') this.conclude(job, ending);
    this.startWhatMay();
  }

  private report(job: OperationJob, progress: OperationProgress): void {
    const paced = this.jobs.get(job.id);
    if (paced?.job === job && job.take(progress)) paced.pacer.changed();
  }

  /** The one place where a job ends; a second call for the same one does nothing. */
  private conclude(job: OperationJob, ending: OperationEnding): void {
    const paced = this.jobs.get(job.id);
    if (paced?.job !== job) return;
    paced.pacer.flush();
    this.jobs.delete(job.id);
    job.cancelGrace?.();
    const result = resultOf(job.command, ending, this.options.onUnexpected);
    const { outcome, failure } = result;
    const cause = causeOf(ending);
    this.options.log.info({ ...describeCommand(job.command), outcome, code: failure?.code, cause }, 'operation ends');
    this.remember(result);
  }

  private remember(result: ResultMessage): void {
    this.finished.add(result);
    this.save();
    this.reports.result(result);
  }

  private save(): void {
    this.options.file.save(() => ({
      live: Array.from(this.jobs.values(), ({ job }) => ({
        command: job.command,
        started: job.state === 'running' || job.resumed,
        cancel_requested: job.cancelRequested,
      })),
      finished: this.finished.all(),
    }));
  }
}
