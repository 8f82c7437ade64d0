import { BehaviorSubject, filter, firstValueFrom, Subject, Subscription, skip, type Observable } from 'rxjs';
import type { Clock } from '../../kernel/clock.js';
import { dialects, extensionDialects, type Dialect } from '../../kernel/dialect.js';
import type { EngineFact, ModelReport, StatusMessage } from '../../link/messages.js';
import {
  asConfigured,
  configuredFor,
  nothingConfigured,
  type ConfiguredCapabilities,
} from './configured-capabilities.js';
import { factsText, knownModels, problemOf, type CatalogueEntry, type EngineSlot } from './engine-slot.js';
import type { Engine, EngineLoadReport, EngineModel, RefusedCapability } from './engine.js';
import type { FoundEngine, LastKnownModels } from './last-known/last-known-models.js';
import { isLearnedRefusal, LearnedCapabilities, withoutRefused } from './learned-capabilities.js';
import { SlotGate } from './slot-gate.js';

export type { CatalogueEntry } from './engine-slot.js';

/** Limit of HELLO and STATUS. */
export const MAX_ENGINES = 64;

/** `<engine name>/<the engine's own model name>`: what the relay names in OPEN. */
export const modelKey = (engine: string, engineModel: string): string => `${engine}/${engineModel}`;

const noLoad: EngineLoadReport = { waiting: 0, foreign: 0 };

interface EngineCatalogueOptions {
  /** Dialects that this node serves with the given engine routes, natively or translated. */
  readonly servable: (routes: readonly string[]) => readonly Dialect[];
  readonly clock: Clock;
  /** Whether this node fetches images from public web addresses for its engines. */
  readonly remoteMedia: boolean;
  /** Models of engines that do not answer now. */
  readonly lastKnown: LastKnownModels;
  /** Failures of starting or stopping. An engine that does not start has no models; the others serve. */
  readonly onFailure: (engine: string, error: unknown) => void;
}

/** All engines of the node as one inventory: models, their state, and free slots. */
export class EngineCatalogue {
  private readonly members = new Map<string, EngineSlot>();
  /** Removed, but with requests that still run. */
  private readonly leaving = new Set<Engine>();
  private readonly byKey = new Map<string, CatalogueEntry>();
  private readonly models = new BehaviorSubject<readonly ModelReport[]>([]);
  private readonly changes = new Subject<void>();
  private readonly limits: LearnedCapabilities;

  constructor(private readonly options: EngineCatalogueOptions) {
    this.limits = new LearnedCapabilities(options.clock);
  }

  /** The full list at once for every subscriber, then a new one at every change. */
  get models$(): Observable<readonly ModelReport[]> {
    return this.models;
  }

  /** The present list. */
  get reports(): readonly ModelReport[] {
    return this.models.value;
  }

  /** At every slot that is claimed or released, and whenever an engine appears, vanishes or turns out to be another version. */
  get slotsChanged$(): Observable<unknown> {
    return this.changes;
  }

  get engines(): readonly Engine[] {
    return Array.from(this.members.values(), ({ engine }) => engine);
  }

  /** The model as it is right now. */
  find(key: string): CatalogueEntry | undefined {
    return this.byKey.get(key);
  }

  facts(): EngineFact[] {
    return this.engines.map((engine) => engine.facts());
  }

  /** @param sharedWith the replica that gets the report, if the node has links to several */
  slots(sharedWith?: string): StatusMessage['engines'] {
    return Array.from(this.members.values(), ({ engine, gate }) => {
      const { name, kind, version } = engine.facts();
      const problem = problemOf(engine.condition);
      const { load } = engine;
      return {
        name,
        kind,
        version,
        slots_total: gate.total,
        slots_used: gate.used,
        ...(sharedWith === undefined ? {} : { slots_used_elsewhere: gate.usedElsewhere(sharedWith) }),
        // Only the engine has a queue: the node rejects requests without a free slot, so that queueing stays visible at the relay.
        queue_depth: load?.waiting ?? 0,
        ...(load === undefined ? {} : { foreign_requests: load.foreign }),
        ...(problem === null ? {} : { problem }),
      };
    });
  }

  /** Whether last-known models are kept for this engine. Discovery keeps such an engine while it does not answer. */
  keepsModelsOf(name: string): boolean {
    return this.options.lastKnown.of(name).length > 0;
  }

  /** Engines discovered by earlier processes whose models are still known. */
  get foundBefore(): readonly FoundEngine[] {
    return this.options.lastKnown.found;
  }

  /** Whether an engine of that name can be added. */
  hasRoomFor(name: string): boolean {
    return this.members.size < MAX_ENGINES && !this.members.has(name);
  }

  /**
   * Starts the engine; resolves after its first probe, also a failed one.
   * @param found where it was discovered; null when it is configured
   * @throws Error when there is no room for it
   */
  async add(
    engine: Engine,
    configured: ConfiguredCapabilities = nothingConfigured,
    found: FoundEngine | null = null,
  ): Promise<void> {
    if (!this.hasRoomFor(engine.name)) throw new Error(`no free slot for the engine ${engine.name}`);
    const gate = new SlotGate(() => engine.slots);
    const subscriptions = new Subscription();
    const slot: EngineSlot = {
      engine,
      gate,
      configured,
      subscriptions,
      found,
      reported: [],
      models: [],
      entries: [],
      factsSent: '',
      loadSent: noLoad,
    };
    this.members.set(engine.name, slot);
    slot.factsSent = factsText(slot);
    subscriptions.add(
      gate.used$.pipe(skip(1)).subscribe(() => {
        this.changes.next();
      }),
    );
    subscriptions.add(
      engine.slotsChanged$?.subscribe(() => {
        this.changes.next();
      }),
    );
    subscriptions.add(
      engine.models$.subscribe((models) => {
        slot.reported = models;
        this.take(slot);
      }),
    );
    this.changes.next();
    await engine.start().catch((error: unknown) => {
      this.options.onFailure(engine.name, error);
    });
    this.noticeFacts(slot);
  }

  /** Sends no new requests to the engine and stops it when its running ones are over. */
  remove(name: string): void {
    const slot = this.members.get(name);
    if (slot === undefined) return;
    this.members.delete(name);
    slot.subscriptions.unsubscribe();
    for (const { report } of slot.entries) this.limits.forget(report.key);
    this.options.lastKnown.forget(name);
    this.replace(slot, []);
    this.changes.next();
    this.leaving.add(slot.engine);
    void this.stopWhenIdle(slot);
  }

  /**
   * Records that the engine refused a capability it had not reported as missing. The model's report changes, so that the relay sends such
   * requests elsewhere.
   */
  learn(key: string, capability: RefusedCapability): void {
    const entry = this.byKey.get(key);
    const slot = entry === undefined ? undefined : this.members.get(entry.engine.name);
    const model = slot?.models.find(({ engine_model: name }) => name === entry?.report.engine_model);
    if (slot === undefined || model === undefined) return;
    if (!isLearnedRefusal(model, configuredFor(slot.configured, model.engine_model), capability)) return;
    if (this.limits.learn(key, identityOf(slot, model), capability)) this.publish(slot);
  }

  /** Call about once a second: facts and load of engines have no change event, and learned capabilities expire. */
  tick(): void {
    const { lastKnown } = this.options;
    for (const slot of this.members.values()) {
      this.noticeFacts(slot);
      this.noticeLoad(slot);
      if (slot.engine.condition.is === 'answering') lastKnown.stillResponds(slot.engine.name);
    }
    if (lastKnown.forgetOld()) for (const slot of this.members.values()) this.take(slot);
    if (this.limits.forgetOld()) for (const slot of this.members.values()) this.publish(slot);
  }

  /** Ends everything at once. */
  async stop(): Promise<void> {
    const members = [...this.members.values()];
    for (const { subscriptions } of members) subscriptions.unsubscribe();
    const engines = [...members.map(({ engine }) => engine), ...this.leaving];
    this.leaving.clear();
    await Promise.allSettled(engines.map((engine) => engine.stop()));
  }

  private take(slot: EngineSlot): void {
    const models = this.modelsOf(slot);
    const resident = new Set(models.filter(({ state }) => state === 'loaded').map(({ engine_model: name }) => name));
    for (const { engine_model: name } of slot.models) {
      // It may be loaded again with other options.
      if (!resident.has(name)) this.limits.forget(modelKey(slot.engine.name, name));
    }
    slot.models = models;
    this.publish(slot);
    this.noticeFacts(slot);
  }

  private modelsOf({ engine: { name, condition }, reported, found }: EngineSlot): readonly EngineModel[] {
    const { lastKnown } = this.options;
    if (condition.is === 'answering') lastKnown.answered(name, reported, found);
    return knownModels(condition, reported, lastKnown.of(name));
  }

  private publish(slot: EngineSlot): void {
    const { engine, gate } = slot;
    const entries = slot.models.map((model) => ({ report: this.reportOf(slot, model), engine, gate }));
    this.replace(slot, entries);
  }

  private replace(slot: EngineSlot, entries: readonly CatalogueEntry[]): void {
    for (const { report } of slot.entries) this.byKey.delete(report.key);
    slot.entries = entries;
    for (const entry of entries) this.byKey.set(entry.report.key, entry);
    this.models.next([...this.byKey.values()].map(({ report }) => report));
  }

  private reportOf(slot: EngineSlot, model: EngineModel): ModelReport {
    const { engine, configured } = slot;
    const key = modelKey(engine.name, model.engine_model);
    const refused = this.limits.refused(key, identityOf(slot, model));
    const { extension_routes: more = [], ...known } = withoutRefused(model, refused);
    const served = this.options.servable([...known.dialects, ...more]);
    const beyond = extensionDialects.filter((dialect) => served.includes(dialect));
    return {
      ...asConfigured(known, configuredFor(configured, model.engine_model)),
      key,
      engine: engine.name,
      dialects: dialects.filter((dialect) => served.includes(dialect)),
      ...(beyond.length > 0 && { extension_dialects: beyond }),
      ...(this.options.remoteMedia ? { remote_media: true } : {}),
    };
  }

  /** A new version may support features that the old one refused, so the models are published again. */
  private noticeFacts(slot: EngineSlot): void {
    const facts = factsText(slot);
    if (facts === slot.factsSent || this.members.get(slot.engine.name) !== slot) return;
    slot.factsSent = facts;
    this.publish(slot);
    this.changes.next();
  }

  private noticeLoad(slot: EngineSlot): void {
    const { waiting, foreign } = slot.engine.load ?? noLoad;
    if (waiting === slot.loadSent.waiting && foreign === slot.loadSent.foreign) return;
    slot.loadSent = { waiting, foreign };
    this.changes.next();
  }

  private async stopWhenIdle({ engine, gate }: EngineSlot): Promise<void> {
    await firstValueFrom(gate.used$.pipe(filter((used) => used === 0)));
    if (!this.leaving.delete(engine)) return;
    await engine.stop().catch((error: unknown) => {
      this.options.onFailure(engine.name, error);
    });
  }
}

const identityOf = ({ engine }: EngineSlot, { digest }: EngineModel): string =>
  JSON.stringify([digest, engine.facts().version]);
