import { BehaviorSubject, merge, type Observable, skip, Subscription } from 'rxjs';
import type { Dialect } from '../../kernel/dialect.js';
import type { EngineFact, ModelReport, StatusMessage } from '../../link/messages.js';
import type { Engine, EngineModel } from './engine.js';
import { SlotGate } from './slot-gate.js';

/** A model of this node with the engine that has it. */
export interface CatalogueEntry {
  readonly report: ModelReport;
  readonly engine: Engine;
  readonly gate: SlotGate;
}

interface EngineSeat {
  readonly engine: Engine;
  readonly gate: SlotGate;
  entries: readonly CatalogueEntry[];
}

/** `<engine name>/<the engine's own model name>`: what the relay names in OPEN. */
export const modelKey = (engine: string, engineModel: string): string => `${engine}/${engineModel}`;

/** All engines of the node as one: what there is, whether it is resident now, and how many requests still fit. */
export class EngineCatalogue {
  private readonly seats: readonly EngineSeat[];
  private readonly byKey = new Map<string, CatalogueEntry>();
  private readonly models = new BehaviorSubject<readonly ModelReport[]>([]);
  private readonly subscriptions = new Subscription();

  /**
   * @param engines of different names
   * @param servable what this node can make of the routes that an engine speaks, by itself or translated: more is not promised
   */
  constructor(
    engines: readonly Engine[],
    private readonly servable: (spoken: readonly Dialect[]) => readonly Dialect[],
  ) {
    this.seats = engines.map((engine) => ({ engine, gate: new SlotGate(engine.slots), entries: [] }));
  }

  /** The full list at once for every subscriber, then a new one at every change. */
  get models$(): Observable<readonly ModelReport[]> {
    return this.models;
  }

  /** At every slot that is claimed or released. */
  get slotsChanged$(): Observable<unknown> {
    return merge(...this.seats.map(({ gate }) => gate.used$.pipe(skip(1))));
  }

  /** The model as it is right now. */
  find(key: string): CatalogueEntry | undefined {
    return this.byKey.get(key);
  }

  facts(): EngineFact[] {
    return this.seats.map(({ engine }) => engine.facts());
  }

  slots(): StatusMessage['engines'] {
    return this.seats.map(({ engine, gate }) => ({
      name: engine.name,
      slots_total: gate.total,
      slots_used: gate.used,
      // The node refuses what has no slot instead of letting it wait where nobody sees it.
      queue_depth: 0,
    }));
  }

  /** Starts every engine; one that fails to start is reported and left without models, the others serve. */
  async start(onFailure: (engine: string, error: unknown) => void): Promise<void> {
    for (const seat of this.seats) {
      this.subscriptions.add(
        seat.engine.models$.subscribe((models) => {
          this.take(seat, models);
        }),
      );
    }
    await Promise.all(
      this.seats.map(({ engine }) =>
        engine.start().catch((error: unknown) => {
          onFailure(engine.name, error);
        }),
      ),
    );
  }

  async stop(): Promise<void> {
    this.subscriptions.unsubscribe();
    await Promise.allSettled(this.seats.map(({ engine }) => engine.stop()));
  }

  private take(seat: EngineSeat, models: readonly EngineModel[]): void {
    for (const { report } of seat.entries) this.byKey.delete(report.key);
    const { engine, gate } = seat;
    seat.entries = models.map((model) => ({
      report: {
        ...model,
        key: modelKey(engine.name, model.engine_model),
        engine: engine.name,
        dialects: [...this.servable(model.dialects)],
      },
      engine,
      gate,
    }));
    for (const entry of seat.entries) this.byKey.set(entry.report.key, entry);
    this.models.next([...this.byKey.values()].map(({ report }) => report));
  }
}
