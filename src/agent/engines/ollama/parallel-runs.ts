import { Subject, type Observable } from 'rxjs';
import type { ObservedRun, RunObserver } from '../http/engine-adapter.js';

/** So long all known slots write before another request is let in, and so long that one has to wait before its waiting means something. */
const SETTLED_MS = 1_000;
const REFUSAL_LIFETIME_MS = 60 * 60 * 1_000;
/** Ollama's own default is one, and owners set a handful. */
const MOST_RUNS = 32;

interface Run {
  readonly model: string;
  readonly stream: boolean;
  readonly begunAtMs: number;
  answered: boolean;
}

/**
 * Learns how many requests of a model Ollama runs at once (OLLAMA_NUM_PARALLEL), which it tells nobody: a further one waits without a word until
 * another has ended. One is known to run. When all that are known write, one more slot is offered: a request that takes it and gets a response
 * beside them has shown that there are more; one that gets none before another ends has shown that there are not, for an hour.
 */
export class ParallelRuns implements RunObserver {
  private known = 1;
  private offered = false;
  private settledAtMs = Number.NEGATIVE_INFINITY;
  private readonly runs = new Set<Run>();
  private readonly changes = new Subject<void>();
  private offering: NodeJS.Timeout | undefined;

  get slots(): number {
    return this.known + (this.offered ? 1 : 0);
  }

  get slotsChanged$(): Observable<void> {
    return this.changes;
  }

  begin(model: string, stream: boolean): ObservedRun {
    const run: Run = { model, stream, begunAtMs: performance.now(), answered: false };
    this.runs.add(run);
    return {
      answered: () => {
        if (!this.runs.has(run)) return;
        run.answered = true;
        this.learnMore(run);
        this.offerLater();
      },
      over: () => {
        if (!this.runs.delete(run)) return;
        this.learnLess(run);
        if (this.runs.size < this.known) this.withdraw();
      },
    };
  }

  /** Ollama has ended: its successor may be set otherwise. */
  forget(): void {
    this.settledAtMs = Number.NEGATIVE_INFINITY;
    this.set(1);
  }

  private learnMore({ model }: Run): void {
    const atOnce = this.answeredOf(model);
    if (atOnce > this.known) this.set(Math.min(atOnce, MOST_RUNS));
  }

  /** A model has slots of its own, so that only requests of the same one wait for each other. */
  private learnLess({ model, answered: responded }: Run): void {
    const nowMs = performance.now();
    const waited = [...this.runs].some(
      (other) => other.model === model && other.stream && !other.answered && nowMs - other.begunAtMs >= SETTLED_MS,
    );
    if (!responded || !waited) return;
    this.settledAtMs = nowMs;
    this.set(this.answeredOf(model) + 1);
  }

  private answeredOf(model: string): number {
    return [...this.runs].filter((run) => run.model === model && run.answered).length;
  }

  private offerLater(): void {
    if (this.offered || this.offering !== undefined || !this.mayOffer()) return;
    this.offering = setTimeout(() => {
      this.offering = undefined;
      if (!this.mayOffer()) return;
      this.offered = true;
      this.changes.next();
    }, SETTLED_MS);
    this.offering.unref();
  }

  private mayOffer(): boolean {
    const [first] = this.runs;
    if (first === undefined || this.runs.size !== this.known || this.known >= MOST_RUNS) return false;
    if (this.answeredOf(first.model) !== this.known) return false;
    return performance.now() - this.settledAtMs >= REFUSAL_LIFETIME_MS;
  }

  private withdraw(): void {
    clearTimeout(this.offering);
    this.offering = undefined;
    if (this.offered) this.set(this.known);
  }

  private set(known: number): void {
    const before = this.slots;
    this.known = Math.max(1, known);
    this.offered = false;
    if (this.slots !== before) this.changes.next();
  }
}
