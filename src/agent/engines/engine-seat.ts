import type { Subscription } from 'rxjs';
import type { EngineFact, ModelReport } from '../../link/messages.js';
import type { ConfiguredCapabilities } from './configured-capabilities.js';
import type { Engine, EngineModel } from './engine.js';
import type { SlotGate } from './slot-gate.js';

/** A model of this node with the engine that has it. */
export interface CatalogueEntry {
  readonly report: ModelReport;
  readonly engine: Engine;
  readonly gate: SlotGate;
}

/** One engine of the catalogue, while it is there. */
export interface EngineSeat {
  readonly engine: Engine;
  readonly gate: SlotGate;
  readonly configured: ConfiguredCapabilities;
  readonly subscriptions: Subscription;
  /** As the engine reports them. */
  models: readonly EngineModel[];
  /** As the node reports them. */
  entries: readonly CatalogueEntry[];
  /** What was last told about the engine itself, to see when it changes. */
  told: string;
}

/** Everything that STATUS says of an engine apart from its load. */
export const factsText = ({ engine, gate }: Pick<EngineSeat, 'engine' | 'gate'>): string =>
  JSON.stringify([engine.facts() satisfies EngineFact, gate.total]);
