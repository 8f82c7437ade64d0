/** The fields of an inference request that the relay reads in every dialect; the node interprets the rest. */
import type { Dialect } from '../kernel/dialect.js';

export interface Envelope {
  readonly dialect: Dialect;
  /** `id` or `selector` of the inventory, repeated unchanged in responses. */
  readonly model: string;
  readonly stream: boolean;
}
