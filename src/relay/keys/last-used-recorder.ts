import type { Clock } from '../../kernel/clock.js';
import type { ApiKeyId } from '../../kernel/ids.js';
import { LruMap } from '../../kernel/lru-map.js';
import type { Caller } from '../platform/access/caller.js';

export type UsedKey = Pick<Caller, 'accountId' | 'keyPublicId'>;

const AT_MOST_ONCE_PER_MS = 60_000;
const WRITE_EVERY_MS = 5_000;
const WAITING_KEYS = 10_000;

/**
 * Notes which keys are in use and writes them in batches beside the request path, each key at most once a minute
 * (docs/reference/security.md#api-keys). What is lost in a crash or while the database is down is only this note.
 */
export class LastUsedRecorder {
  private readonly notedAtMs: LruMap<ApiKeyId, number>;
  private readonly waiting = new Map<ApiKeyId, UsedKey>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly write: (used: readonly UsedKey[]) => Promise<void>,
    rememberedKeys: number,
    private readonly clock: Clock,
  ) {
    this.notedAtMs = new LruMap(rememberedKeys);
  }

  note({ accountId, keyPublicId }: UsedKey): void {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - (this.notedAtMs.get(keyPublicId) ?? -Infinity) < AT_MOST_ONCE_PER_MS) return;
    if (this.waiting.size >= WAITING_KEYS) return;
    this.notedAtMs.set(keyPublicId, nowMs);
    this.waiting.set(keyPublicId, { accountId, keyPublicId });
  }

  start(): void {
    this.timer = setInterval(() => void this.flush(), WRITE_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Never rejects. */
  async flush(): Promise<void> {
    if (this.waiting.size === 0) return;
    const used = [...this.waiting.values()];
    this.waiting.clear();
    await this.write(used).catch(() => undefined);
  }
}
