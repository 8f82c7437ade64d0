import type { ClosedStatus, ItemStatus, OutputItem } from '../items.js';

/** An item that is being written. Its events are out as far as it goes. */
export interface OpenItem {
  readonly outputIndex: number;
  /** Once, as the item's last events. */
  close(status: ClosedStatus): void;
  /** The item as far as it goes. */
  item(status: ItemStatus): OutputItem;
}
