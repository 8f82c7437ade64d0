import type { LoadSpec } from '../load/load-protocol.js';
import type { Target } from '../targets/target.js';

interface Described {
  readonly name: string;
  readonly title: string;
  /** Explains the rows where the columns do not. */
  readonly note?: string;
  readonly onlyFull: boolean;
}

/** A load on one or more targets. */
export interface LoadScenario extends Described {
  readonly kind: 'load';
  /** The unit that CPU is divided by. */
  readonly unit: 'event' | 'request' | 'second';
  readonly spec: LoadSpec;
  /** Before the load, over few connections. */
  readonly warmUpMs: number;
  /** Under the load, before the window. */
  readonly settleMs: number;
  readonly windowMs: number;
  /** Also measure what the public side references, where that is one Node process. */
  readonly heap?: true;
  /** More than 1 where a figure varies more between rounds than its target value allows. */
  readonly roundsPerAlternation?: number;
  /** Replaces the default targets. */
  readonly targets?: readonly Target[];
  /** Beside the default ones, where all of those are measured. */
  readonly furtherTargets?: readonly Target[];
}

/** A separate program that replies with figures by name. */
export interface ProgramScenario extends Described {
  readonly kind: 'program';
  /** File name in `bench/programs`. */
  readonly program: string;
}

export type Scenario = LoadScenario | ProgramScenario;

/** For loads at which a process cannot warm up, because they are themselves about its memory, or too slow. */
export const WARM_UP_MS = 12_000;
export const SETTLE_MS = 1_500;
/** Where the load itself warms up: only to see that the target answers. */
export const FIRST_RESPONSES_MS = 500;
export const WARM_UP_AT_LOAD_MS = 10_000;
