import type { Order } from '../load/orders.js';
import type { Target } from '../targets/target.js';

interface Described {
  readonly name: string;
  readonly title: string;
  /** What the rows mean, where the columns do not say it. */
  readonly note?: string;
  readonly onlyFull: boolean;
}

/** A load on targets. */
export interface LoadScenario extends Described {
  readonly kind: 'load';
  /** What CPU is divided by. */
  readonly unit: 'event' | 'request' | 'second';
  readonly order: Order;
  readonly warmUpMs: number;
  readonly windowMs: number;
  /** More than one where a figure scatters more from round to round than its bar is wide. */
  readonly roundsPerAlternation?: number;
  /** Instead of the peers. */
  readonly targets?: readonly Target[];
}

/** A program of its own that answers with figures, by name. */
export interface ProgramScenario extends Described {
  readonly kind: 'program';
  /** In this folder's parent. */
  readonly program: string;
}

export type Scenario = LoadScenario | ProgramScenario;

export const WARM_UP_MS = 12_000;
