import type { AccountId, ApiKeyId } from '../../../kernel/ids.js';

/** Who has, or waits for, a slot. */
export interface SlotHolder {
  readonly accountId: AccountId;
  /** Slots are shared fairly between keys; absent: one key for all. */
  readonly keyPublicId?: ApiKeyId;
}

/** One request that waits for a slot. */
export interface Waiting extends SlotHolder {
  /** Smaller came earlier. */
  readonly arrival: number;
  /** Tries to start now, and leaves the queue when it does or when it never will. True when it took a slot. */
  tryStart(): boolean;
}
