import type { Engine } from '../engine.js';
import { nothingConfigured } from '../configured-capabilities.js';
import type { EngineCatalogue } from '../engine-catalogue.js';
import type { Timers } from '../../connection/timers.js';
import { identify, problemOf, type Identification } from './identify.js';
import type { SearchTarget } from './search-targets.js';
import type { TargetResponse } from './target-probe.js';

/** A busy engine may fail single checks; a stopped one fails all. */
const MISSES_BEFORE_REMOVAL = 3;
/** Pause for a port with another service, to keep its log clean. */
const ROUNDS_OF_REST = 3;
/** Another engine may have taken the port, but identification is expensive: a cheap check is done in between. */
const ROUNDS_PER_IDENTIFICATION = 4;

interface EngineSearchOptions {
  readonly places: readonly SearchTarget[];
  readonly intervalMs: number;
  readonly catalogue: Pick<
    EngineCatalogue,
    'add' | 'remove' | 'hasRoomFor' | 'slots' | 'keepsModelsOf' | 'foundBefore'
  >;
  /** `kind` as the fingerprint has it. Undefined when no engine can be made of it. */
  readonly create: (kind: string, url: URL, isFree: (name: string) => boolean) => Promise<Engine | undefined>;
  readonly get: (base: URL, path: string) => Promise<TargetResponse>;
  readonly timers: Timers;
  readonly log: (level: 'info' | 'warn', message: string) => void;
}

type FoundIdentification = Extract<Identification, { seen: 'engine' }>;

interface Watch {
  readonly place: SearchTarget;
  engine: { readonly name: string; readonly kind: string; readonly url: URL } | undefined;
  misses: number;
  rests: number;
  checks: number;
  /** Last logged problem of a pinned place, so that it is logged once. */
  problem: string | undefined;
}

/** Discovery: searches places periodically, adds engines that appear and removes those that are gone. */
export class EngineSearch {
  private readonly watches: readonly Watch[];
  private cancel: (() => void) | undefined;
  private starting: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(private readonly options: EngineSearchOptions) {
    this.watches = options.places.map((target) => ({
      place: target,
      engine: undefined,
      misses: 0,
      rests: 0,
      checks: 0,
      problem: undefined,
    }));
  }

  /** Resolves after the first round, when the engines that it found have looked at their models. */
  async start(): Promise<void> {
    for (const watch of this.watches) await this.takeUp(watch);
    await this.round();
    await this.starting;
  }

  stop(): void {
    this.stopped = true;
    this.cancel?.();
  }

  /** Restores an engine that was discovered before a restart and may be down: its models are still known. */
  private async takeUp(watch: Watch): Promise<void> {
    for (const url of watch.place.urls) {
      const before = this.options.catalogue.foundBefore.find((found) => found.url === url.href);
      if (before === undefined || watch.engine !== undefined) continue;
      await this.serve(watch, before.kind, url);
      // Another engine may have taken the port since.
      watch.checks = ROUNDS_PER_IDENTIFICATION - 1;
    }
  }

  /** Rounds do not wait for engines: one that hangs must not keep the others from being found. */
  private async round(): Promise<void> {
    await Promise.all(this.watches.map((watch) => this.check(watch)));
    if (this.isStopped()) return;
    this.cancel = this.options.timers.after(this.options.intervalMs, () => void this.round());
  }

  private async check(watch: Watch): Promise<void> {
    if (watch.rests > 0) {
      watch.rests -= 1;
      return;
    }
    const { url, identification } = await (watch.engine === undefined
      ? this.search(watch)
      : this.visit(watch, watch.engine));
    if (this.isStopped()) return;
    if (identification === undefined) watch.misses = 0;
    else await this.take(watch, url, identification);
  }

  private async search({ place: target }: Watch): Promise<{ url: URL; identification: Identification }> {
    let found: { url: URL; identification: Identification } | undefined;
    for (const url of target.urls) {
      const identification = await identify((path) => this.options.get(url, path));
      if (identification.seen === 'engine') return { url, identification };
      if (found === undefined || found.identification.seen === 'nothing') found = { url, identification };
    }
    if (found === undefined) throw new Error('a location has at least one address');
    return found;
  }

  private async visit(
    watch: Watch,
    { url }: { readonly url: URL },
  ): Promise<{ url: URL; identification: Identification | undefined }> {
    const get = (path: string): Promise<TargetResponse> => this.options.get(url, path);
    watch.checks += 1;
    if (watch.misses > 0 || watch.checks % ROUNDS_PER_IDENTIFICATION === 0)
      return { url, identification: await identify(get) };
    return { url, identification: await problemOf(get) };
  }

  private async take(watch: Watch, url: URL, identification: Identification): Promise<void> {
    switch (identification.seen) {
      case 'engine':
        watch.misses = 0;
        if (watch.engine?.kind !== identification.kind) await this.replace(watch, identification, url);
        return;
      case 'starting':
        return;
      case 'silent':
        this.complain(watch, url, 'does not answer');
        // A single-threaded engine answers nothing while it computes.
        if (!this.isBusy(watch)) this.miss(watch);
        return;
      case 'nothing':
        this.complain(watch, url, 'cannot be reached; it will be used as soon as it responds');
        this.miss(watch);
        return;
      case 'other':
        this.complain(watch, url, `${identification.what}: not usable as an engine`);
        if (watch.engine === undefined && !watch.place.pinned) watch.rests = ROUNDS_OF_REST;
        this.miss(watch);
        return;
      default:
        identification satisfies never;
    }
  }

  private async replace(watch: Watch, { kind, residencyUnknown }: FoundIdentification, url: URL): Promise<void> {
    this.forget(watch);
    if (!(await this.serve(watch, kind, url))) return;
    this.options.log('info', `found ${watch.engine?.name ?? kind} (${kind}) at ${url.origin}`);
    if (residencyUnknown !== true) return;
    const how = 'name them in "resident" of this engine in engines.json';
    this.options.log('warn', `${url.origin} does not say which of its models are in memory, so none is served: ${how}`);
  }

  /** @returns whether the node serves it from now on */
  private async serve(watch: Watch, kind: string, url: URL): Promise<boolean> {
    const { catalogue, create } = this.options;
    const engine = await create(kind, url, (name) => catalogue.hasRoomFor(name));
    if (engine === undefined || this.isStopped()) return false;
    watch.engine = { name: engine.name, kind, url };
    watch.problem = undefined;
    this.starting = Promise.all([this.starting, catalogue.add(engine, nothingConfigured, { kind, url: url.href })]);
    return true;
  }

  /** An engine whose models are still known is kept: its own probes notice its return sooner than a search. */
  private miss(watch: Watch): void {
    if (watch.engine === undefined || watch.place.pinned) return;
    watch.misses += 1;
    if (watch.misses < MISSES_BEFORE_REMOVAL || this.options.catalogue.keepsModelsOf(watch.engine.name)) return;
    this.options.log('info', `${watch.engine.name} is gone from ${watch.engine.url.origin}`);
    this.forget(watch);
  }

  private forget(watch: Watch): void {
    if (watch.engine !== undefined) this.options.catalogue.remove(watch.engine.name);
    watch.engine = undefined;
    watch.misses = 0;
  }

  /** Only for pinned places, and only until the engine is found: its adapter logs later problems. */
  private complain(watch: Watch, url: URL, problem: string): void {
    if (!watch.place.pinned || watch.engine !== undefined || watch.problem === problem) return;
    watch.problem = problem;
    this.options.log('warn', `the engine at ${url.href} ${problem}`);
  }

  private isBusy({ engine }: Watch): boolean {
    return this.options.catalogue.slots().some(({ name, slots_used: used }) => name === engine?.name && used > 0);
  }

  /** A method, because the flag changes while a round is under way. */
  private isStopped(): boolean {
    return this.stopped;
  }
}
