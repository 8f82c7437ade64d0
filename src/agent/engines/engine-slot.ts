import type { Subscription } from 'rxjs';
import type { EngineFact, ModelReport } from '../../link/messages.js';
import type { ConfiguredCapabilities } from './configured-capabilities.js';
import type { Engine, EngineCondition, EngineLoadReport, EngineModel } from './engine.js';
import type { FoundEngine } from './last-known/last-known-models.js';
import type { SlotGate } from './slot-gate.js';

/** A model of this node with the engine that has it. */
export interface CatalogueEntry {
  readonly report: ModelReport;
  readonly engine: Engine;
  readonly gate: SlotGate;
}

/** One engine of the catalogue, while it is there. */
export interface EngineSlot {
  readonly engine: Engine;
  readonly gate: SlotGate;
  readonly configured: ConfiguredCapabilities;
  readonly subscriptions: Subscription;
  /** null: the owner configured it. */
  readonly found: FoundEngine | null;
  /** As the engine reports them; none while it does not answer. */
  reported: readonly EngineModel[];
  /** The same, or what it last had. */
  models: readonly EngineModel[];
  /** The node reports these entries unchanged. */
  entries: readonly CatalogueEntry[];
  /** Last published facts of the engine, to detect changes. */
  factsSent: string;
  /** Last published load of the engine, to detect changes. */
  loadSent: EngineLoadReport;
}

/** STATUS reports these facts of an engine; its used slots change too often and are compared apart from them. */
export const factsText = ({ engine, gate }: Pick<EngineSlot, 'engine' | 'gate'>): string =>
  JSON.stringify([engine.facts() satisfies EngineFact, gate.total, problemOf(engine.condition)]);

const MAX_PROBLEM_CHARACTERS = 200;

/** For people; null when nothing keeps the engine from serving. */
export function problemOf(condition: EngineCondition): string | null {
  switch (condition.is) {
    case 'answering':
      return null;
    case 'loading':
      return 'is still loading its model';
    case 'unreachable':
      return condition.problem.slice(0, MAX_PROBLEM_CHARACTERS);
    default:
      return condition satisfies never;
  }
}

/** The models of an engine: the reported ones, or the last-known ones while it does not answer. */
export function knownModels(
  condition: EngineCondition,
  reported: readonly EngineModel[],
  lastKnown: readonly EngineModel[],
): readonly EngineModel[] {
  switch (condition.is) {
    case 'answering':
      return reported;
    case 'loading':
      // With several models it is not known which one is loading.
      return lastKnown.length === 1 ? lastKnown.map((model) => ({ ...model, state: 'loading' })) : away(lastKnown);
    case 'unreachable':
      return away(lastKnown);
    default:
      return condition satisfies never;
  }
}

const away = (models: readonly EngineModel[]): readonly EngineModel[] =>
  models.map((model) => ({ ...model, state: 'installed', engine_unreachable: true }));
