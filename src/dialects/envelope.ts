/** What the relay knows of every inference request, whatever its dialect; the rest of the body is the node's business (design, point 1). */
import type { Dialect } from '../kernel/dialect.js';

export interface Envelope {
  readonly dialect: Dialect;
  /** `id` or `selector` of the inventory, as the client wrote it; answers carry it unchanged. */
  readonly model: string;
  readonly stream: boolean;
}
