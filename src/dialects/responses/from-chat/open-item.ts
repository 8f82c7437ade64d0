import type { ClosedStatus, ItemStatus, OutputItem } from '../items.js';

/** An item in progress, whose events so far were emitted. */
export interface OpenItem {
  readonly outputIndex: number;
  /** Emits the item's last events. Call once. */
  close(status: ClosedStatus): void;
  /** The item so far. */
  item(status: ItemStatus): OutputItem;
}
