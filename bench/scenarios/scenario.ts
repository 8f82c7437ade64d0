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
  readonly warmUpMs: number;
  readonly windowMs: number;
  /** More than 1 where a figure varies more between rounds than its target value allows. */
  readonly roundsPerAlternation?: number;
  /** Replaces the default targets. */
  readonly targets?: readonly Target[];
}

/** A separate program that replies with figures by name. */
export interface ProgramScenario extends Described {
  readonly kind: 'program';
  /** File name in `bench/programs`. */
  readonly program: string;
}

export type Scenario = LoadScenario | ProgramScenario;

export const WARM_UP_MS = 12_000;
