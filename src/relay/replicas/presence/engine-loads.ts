/**
 * What the engines of a node have to do beside the requests that a replica counts itself: told between replicas, so that a node without a
 * link to this one is not taken for idle.
 */
import { fnvText } from '../../../kernel/fnv-hash.js';
import type { StatusMessage } from '../../../link/messages.js';

export interface EngineLoad {
  /** Requests that wait inside the engine. */
  readonly waiting: number;
  /** Requests that it runs or queues for others than the node. */
  readonly foreign: number;
}

/** By {@link engineNumber}. Engines without any such request are left out. */
export type EngineLoads = ReadonlyMap<number, EngineLoad>;

/** As many engines as STATUS has. */
export const MAX_LOADED_ENGINES = 64;
/** Higher counts are told as this one: no prediction differs, and a message has a longest length. */
const MOST_REQUESTS = 65_535;
/** Part of the value told before by which it changes, at least. */
const STEP = 0.25;

export const noLoads: EngineLoads = new Map();
const idle: EngineLoad = { waiting: 0, foreign: 0 };

/** Names the engine in 32 bits: engines come and go, so that their position in STATUS does not. */
export const engineNumber = (name: string): number => fnvText(name) >>> 0;

/** Takes the engines as a node reports them. */
export function engineLoads(engines: StatusMessage['engines']): EngineLoads {
  let loads: Map<number, EngineLoad> | undefined;
  for (const { name, queue_depth: waiting, foreign_requests: foreign = 0 } of engines) {
    if (waiting === 0 && foreign === 0) continue;
    loads ??= new Map();
    loads.set(engineNumber(name), {
      waiting: Math.min(waiting, MOST_REQUESTS),
      foreign: Math.min(foreign, MOST_REQUESTS),
    });
  }
  return loads ?? noLoads;
}

/**
 * What is to be told of one node. Small counts are told exactly, large ones when they are a quarter off, which changes no choice: the queue of a
 * busy engine moves with every request.
 * @returns the loads that changed, those of engines that are gone first; and all as the receivers know them then
 */
export function loadSteps(
  before: EngineLoads,
  now: EngineLoads,
): { readonly steps: readonly (readonly [number, EngineLoad])[]; readonly sent: EngineLoads } {
  const steps: [number, EngineLoad][] = [];
  for (const engine of before.keys()) if (!now.has(engine)) steps.push([engine, idle]);
  for (const [engine, load] of now) if (isStep(before.get(engine) ?? idle, load)) steps.push([engine, load]);
  if (steps.length === 0) return { steps, sent: before };
  const sent = new Map(before);
  for (const [engine, load] of steps) setLoad(sent, engine, load);
  return { steps, sent };
}

/** @returns a new map. Does nothing for more engines than a node can have */
export function withLoad(loads: EngineLoads, engine: number, load: EngineLoad): EngineLoads {
  const changed = new Map(loads);
  setLoad(changed, engine, load);
  return changed;
}

function setLoad(loads: Map<number, EngineLoad>, engine: number, load: EngineLoad): void {
  if (load.waiting === 0 && load.foreign === 0) loads.delete(engine);
  else if (loads.has(engine) || loads.size < MAX_LOADED_ENGINES) loads.set(engine, load);
}

/** As they are in the entry of a node: engine, waiting and foreign requests, in turn. */
export const entryLoads = (loads: EngineLoads): number[] =>
  Array.from(loads, ([engine, { waiting, foreign }]) => [engine, waiting, foreign]).flat();

/** The reverse of {@link entryLoads}. */
export function loadsOfEntry(numbers: readonly number[]): EngineLoads {
  if (numbers.length === 0) return noLoads;
  const loads = new Map<number, EngineLoad>();
  for (let at = 0; at + 2 < numbers.length; at += 3)
    loads.set(numbers[at] ?? 0, { waiting: numbers[at + 1] ?? 0, foreign: numbers[at + 2] ?? 0 });
  return loads;
}

const isStep = (before: EngineLoad, now: EngineLoad): boolean =>
  isCountStep(before.waiting, now.waiting) || isCountStep(before.foreign, now.foreign);

const isCountStep = (before: number, now: number): boolean =>
  now === 0 ? before !== 0 : Math.abs(now - before) >= Math.max(1, before * STEP);
