import { BehaviorSubject, type Observable } from 'rxjs';
import type { EngineModel, EngineRoute } from '../engine.js';
import type { EngineHttp } from './engine-http.js';
import { parseJson } from './failures.js';
import { fingerprint, unknownEngine, type EngineFingerprint } from './fingerprint.js';
import { readModelList, type ModelListOptions } from './model-list.js';

const LIST_PATH = '/v1/models';
const PROBE_TIMEOUT_MS = 4_000;
const LIST_LIMIT_BYTES = 8 * 1024 * 1024;
/** A single-threaded engine answers nothing while it computes; a dead one refuses at once. */
const SILENT_POLLS_BEFORE_GONE = 3;
/** An engine could be replaced by another with the same list between two polls. */
const FINGERPRINT_LIFETIME_MS = 60_000;

export interface ModelWatchOptions {
  readonly http: EngineHttp;
  readonly pollMs: number;
  /** From the configuration: which of its models an on-demand engine keeps resident. Wins over every fingerprint. */
  readonly resident: 'all' | readonly string[] | null;
  /** From the configuration; null: as far as the engine is recognised. */
  readonly routes: readonly EngineRoute[] | null;
  readonly describe: Omit<ModelListOptions, 'stateOf' | 'routes'>;
  /** True while requests run: a silent engine is then busy, not gone. */
  readonly busy: () => boolean;
  /** Why there are no models, once per change; null when there is a list again. For people. */
  readonly onProblem: (problem: string | null) => void;
}

/** Keeps the list of one engine's models current while it appears, changes and vanishes. */
export class ModelWatch {
  private readonly subject = new BehaviorSubject<readonly EngineModel[]>([]);
  private recognised: EngineFingerprint | undefined;
  private recognisedFrom = '';
  private recognisedAtMs = 0;
  private problem: string | null = null;
  private silentPolls = 0;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly options: ModelWatchOptions) {}

  get models$(): Observable<readonly EngineModel[]> {
    return this.subject;
  }

  get fingerprint(): EngineFingerprint {
    return this.recognised ?? unknownEngine;
  }

  /** Resolves after the first look, whether or not the engine is there. */
  async start(): Promise<void> {
    await this.poll();
  }

  /** Something went wrong with the engine: looks again before the next poll is due. */
  lookNow(): void {
    if (this.timer === undefined || this.isStopped()) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    void this.poll();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.publish([]);
  }

  private async poll(): Promise<void> {
    // Not set while a poll is under way, so that there is never more than one.
    this.timer = undefined;
    try {
      const { status, text } = await this.options.http.get(LIST_PATH, PROBE_TIMEOUT_MS, LIST_LIMIT_BYTES);
      const answer = status === 200 ? parseJson(text) : undefined;
      await this.recognise(text);
      this.silentPolls = 0;
      const models = readModelList(answer, {
        ...this.options.describe,
        routes: this.routes,
        stateOf: (id) => this.stateOf(id),
      });
      this.tell(models === undefined ? `answers ${status} to ${LIST_PATH}, without a list of models` : null);
      this.publish(models ?? []);
    } catch (error) {
      this.takeSilence(error);
    } finally {
      if (!this.isStopped()) this.timer = setTimeout(() => void this.poll(), this.options.pollMs);
    }
  }

  /** Asks again whenever the list changed, because then the engine may have, too. Nothing counts as loaded before it is known. */
  private async recognise(list: string): Promise<void> {
    const age = performance.now() - this.recognisedAtMs;
    if (this.recognised !== undefined && this.recognisedFrom === list && age < FINGERPRINT_LIFETIME_MS) return;
    const { http } = this.options;
    this.recognised = await fingerprint((path) => http.get(path, PROBE_TIMEOUT_MS, LIST_LIMIT_BYTES));
    this.recognisedFrom = list;
    this.recognisedAtMs = performance.now();
  }

  private get routes(): readonly EngineRoute[] {
    return this.options.routes ?? (this.fingerprint.completes ? ['chat', 'completions'] : ['chat']);
  }

  private stateOf(id: string): 'loaded' | 'installed' {
    const { resident } = this.options;
    if (resident !== null) return resident === 'all' || resident.includes(id) ? 'loaded' : 'installed';
    return this.fingerprint.loadsOnDemand ? 'installed' : 'loaded';
  }

  private takeSilence(error: unknown): void {
    const silent = (error as Error).name === 'TimeoutError';
    if (silent && this.options.busy()) return;
    this.silentPolls += 1;
    if (silent && this.silentPolls < SILENT_POLLS_BEFORE_GONE) return;
    this.recognised = undefined;
    this.tell(silent ? 'does not answer' : 'cannot be reached');
    this.publish([]);
  }

  private tell(problem: string | null): void {
    if (problem === this.problem || this.isStopped()) return;
    this.problem = problem;
    this.options.onProblem(problem);
  }

  private publish(models: readonly EngineModel[]): void {
    if (this.isStopped() && models.length > 0) return;
    if (JSON.stringify(models) !== JSON.stringify(this.subject.value)) this.subject.next(models);
  }

  /** A method, because the flag changes while a poll is under way. */
  private isStopped(): boolean {
    return this.stopped;
  }
}
