import type { Clock } from '../../kernel/clock.js';
import type { AccountId } from '../../kernel/ids.js';
import type { AccountChanges, ChangeTopic } from '../platform/api/account-changes.js';

interface Watched {
  /** Monotonic. */
  untilMs: number;
  readonly topics: Set<ChangeTopic>;
  readonly stop: () => void;
}

/** Accounts over all replicas; the feeds of more of them are only as current as their polls. */
const MAX_ACCOUNTS = 10_000;

/** Changes in accounts whose feeds are open at other replicas, until they are told. */
export class PendingChanges {
  private readonly accounts = new Map<AccountId, Watched>();

  /** @param onChange called for each change; false: it is not to be told */
  constructor(
    private readonly changes: Pick<AccountChanges, 'listen'>,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly onChange: () => boolean,
  ) {}

  /** A feed of the account is open elsewhere, and is repeated before the time is over. */
  watch(account: AccountId, validMs: number): void {
    const untilMs = this.clock.monotonicMs() + validMs;
    const known = this.accounts.get(account);
    if (known !== undefined) {
      known.untilMs = untilMs;
      return;
    }
    if (this.accounts.size >= MAX_ACCOUNTS) return;
    const topics = new Set<ChangeTopic>();
    const stop = this.changes.listen(account, (topic) => {
      if (this.onChange()) topics.add(topic);
    });
    this.accounts.set(account, { untilMs, topics, stop });
  }

  take(): [AccountId, ChangeTopic[]][] {
    const taken: [AccountId, ChangeTopic[]][] = [];
    for (const [account, { topics }] of this.accounts) {
      if (topics.size > 0) taken.push([account, [...topics]]);
      topics.clear();
    }
    return taken;
  }

  expire(): void {
    const nowMs = this.clock.monotonicMs();
    for (const [account, { untilMs, stop }] of this.accounts) {
      if (nowMs < untilMs) continue;
      stop();
      this.accounts.delete(account);
    }
  }
}
