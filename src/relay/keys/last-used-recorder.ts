import type { Clock } from '../../kernel/clock.js';
import type { ApiKeyId } from '../../kernel/ids.js';
import { LruMap } from '../../kernel/lru-map.js';
import type { Caller } from '../platform/access/caller.js';
import { WriteBehind } from '../platform/database/write-behind.js';

export type UsedKey = Pick<Caller, 'accountId' | 'keyPublicId'>;

const AT_MOST_ONCE_PER_MS = 60_000;
const WRITE_AFTER_MS = 5_000;
const MAX_WAITING_KEYS = 10_000;

/**
 * Records when keys were last used, each key at most once a minute (docs/reference/security.md#api-keys). A write that fails is not
 * repeated: the next use of the key is recorded a minute later.
 */
export class LastUsedRecorder {
  private readonly recordedAtMs: LruMap<ApiKeyId, number>;
  private readonly writes: WriteBehind<UsedKey>;

  constructor(
    write: (used: readonly UsedKey[]) => Promise<void>,
    rememberedKeys: number,
    private readonly clock: Clock,
  ) {
    this.recordedAtMs = new LruMap(rememberedKeys);
    this.writes = new WriteBehind({
      write: (used) => write(used).catch(() => undefined),
      batchItems: MAX_WAITING_KEYS,
      retryMs: 0,
      onFailure: () => undefined,
    });
  }

  record({ accountId, keyPublicId }: UsedKey): void {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - (this.recordedAtMs.get(keyPublicId) ?? -Infinity) < AT_MOST_ONCE_PER_MS) return;
    if (this.writes.size >= MAX_WAITING_KEYS) return;
    this.recordedAtMs.set(keyPublicId, nowMs);
    this.writes.put(keyPublicId, { accountId, keyPublicId }, WRITE_AFTER_MS);
  }

  /** Never rejects. */
  flush(): Promise<void> {
    return this.writes.flush();
  }
}
