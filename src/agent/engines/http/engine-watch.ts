import { BehaviorSubject, type Observable } from 'rxjs';
import type { EngineCondition, EngineModel } from '../engine.js';
import { EngineLoadingError, UnusableEngineError, type EngineSnapshot } from './probe.js';

/** A single-threaded engine does not answer while it computes; a stopped one refuses connections at once. */
const SILENT_PROBES_BEFORE_GONE = 3;
/** While a model is being loaded or unloaded, so that the change is reported within a second. */
const TRANSITION_POLL_MS = 400;
/** While connections are refused: probing is cheap then, and a started engine must serve within seconds. */
const AWAY_POLL_MS = 1_000;
/** A connection closed right after a response does not mean that the engine has stopped. */
const CLOSING_AFTER_RESPONSE_MS = 50;
/** Minimum interval of probes caused by closed connections: some servers close one after every request. */
const CLOSED_CONNECTION_PROBE_MS = 1_000;

interface EngineWatchOptions {
  /** @throws UnusableEngineError, or any other error when there is no response */
  readonly probe: () => Promise<EngineSnapshot>;
  readonly pollMs: number;
  /** True while requests run: a silent engine is then busy, not gone. */
  readonly busy: () => boolean;
  /** It has not answered for several probes, and is gone. */
  readonly onSilence?: () => void;
  /** Why there are no models, for display; called once per change, with null when there is a list again. */
  readonly onProblem: (problem: string | null) => void;
}

/** Polls one engine and publishes its models and condition. */
export class EngineWatch {
  private readonly subject = new BehaviorSubject<readonly EngineModel[]>([]);
  private seen: EngineSnapshot | undefined;
  private state: EngineCondition = { is: 'unreachable', problem: 'has not answered yet' };
  private problem: string | null = null;
  /** Nothing listens at the address. */
  private refused = false;
  private probeEndedAtMs = Number.NEGATIVE_INFINITY;
  private closedProbeAtMs = Number.NEGATIVE_INFINITY;
  /** Last emitted state, to emit changes only. */
  private published = '';
  private silentProbes = 0;
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private started = false;
  private stopped = false;

  constructor(private readonly options: EngineWatchOptions) {}

  get models$(): Observable<readonly EngineModel[]> {
    return this.subject;
  }

  get models(): readonly EngineModel[] {
    return this.subject.value;
  }

  /** The last successful probe; undefined before it, and once the engine is gone. */
  get last(): EngineSnapshot | undefined {
    return this.seen;
  }

  get condition(): EngineCondition {
    return this.state;
  }

  /** Resolves after the first probe, whether or not the engine answers. */
  start(): Promise<void> {
    this.started = true;
    return this.probeNow();
  }

  /**
   * Probes before the next poll is due, after a failure or an operation. Resolves when a probe that began after this call has been
   * published; concurrent calls share one. Never rejects.
   */
  probeNow(): Promise<void> {
    if (!this.started || this.isStopped()) return Promise.resolve();
    this.next ??= this.probeAfter(this.current);
    return this.next;
  }

  /** The engine closed an idle connection: it may have stopped or restarted. */
  connectionClosed(): void {
    const nowMs = performance.now();
    if (nowMs - this.probeEndedAtMs < CLOSING_AFTER_RESPONSE_MS) return;
    if (nowMs - this.closedProbeAtMs < CLOSED_CONNECTION_PROBE_MS) return;
    this.closedProbeAtMs = nowMs;
    void this.probeNow();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.publish([]);
  }

  /** Probes run one after the other: the response of an older one could come last. */
  private async probeAfter(current: Promise<void> | undefined): Promise<void> {
    await current;
    this.current = this.next;
    this.next = undefined;
    clearTimeout(this.timer);
    if (!this.isStopped()) await this.probe();
    if (this.isStopped()) return;
    this.probeEndedAtMs = performance.now();
    this.timer = setTimeout(() => void this.probeNow(), this.nextProbeInMs());
  }

  private nextProbeInMs(): number {
    const { pollMs } = this.options;
    const changing = this.models.some(({ state }) => state === 'loading' || state === 'unloading');
    if (changing || this.state.is === 'loading') return Math.min(pollMs, TRANSITION_POLL_MS);
    return this.refused ? Math.min(pollMs, AWAY_POLL_MS) : pollMs;
  }

  private async probe(): Promise<void> {
    try {
      const snapshot = await this.options.probe();
      this.silentProbes = 0;
      this.refused = false;
      this.seen = snapshot;
      this.state = { is: 'answering' };
      this.report(null);
      this.publish(snapshot.models);
    } catch (error) {
      if (!(error instanceof UnusableEngineError)) {
        this.takeSilence(error);
        return;
      }
      this.silentProbes = 0;
      this.refused = false;
      const { message: problem } = error;
      this.lose(error instanceof EngineLoadingError ? { is: 'loading' } : { is: 'unreachable', problem }, problem);
    }
  }

  private takeSilence(error: unknown): void {
    const silent = (error as Error).name === 'TimeoutError';
    if (silent && this.options.busy()) return;
    this.silentProbes += 1;
    if (silent && this.silentProbes < SILENT_PROBES_BEFORE_GONE) return;
    this.refused = !silent;
    const problem = silent ? 'does not answer' : 'cannot be reached';
    this.lose({ is: 'unreachable', problem }, problem);
    if (silent) this.options.onSilence?.();
  }

  private lose(condition: EngineCondition, problem: string): void {
    this.seen = undefined;
    this.state = condition;
    this.report(problem);
    this.publish([]);
  }

  private report(problem: string | null): void {
    if (problem === this.problem || this.isStopped()) return;
    this.problem = problem;
    this.options.onProblem(problem);
  }

  private publish(models: readonly EngineModel[]): void {
    if (this.isStopped() && models.length > 0) return;
    const text = JSON.stringify([this.state, models]);
    if (text === this.published) return;
    this.published = text;
    this.subject.next(models);
  }

  /** A method, because the flag can change during a probe and the compiler would narrow it. */
  private isStopped(): boolean {
    return this.stopped;
  }
}
