import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { AccountId, AuditEventId } from '../../../kernel/ids.js';
import { ChangeNotices } from '../../platform/changes/change-notices.js';
import { ChangePoll } from '../../platform/changes/change-poll.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { AuditEventsStore, type Tail, type TailEvent, type TailPosition } from './audit-events.store.js';
import { AuditedChanges } from './audited-changes.store.js';

/** A change that another relay has committed. */
export interface RemoteChange {
  readonly accountId: AccountId;
  readonly action: string;
  readonly objectId: string;
}

/** May be called twice for one change. Where it rejects, it is called again at the next poll. */
type RemoteChangeListener = (change: RemoteChange) => void | Promise<void>;

/**
 * An event is read although its transaction commits this long after it was recorded. Longer than a transaction can take: its statements
 * and the pauses between them have a timeout each.
 */
const OVERLAP_MS = 60_000;
const PAGE_EVENTS = 1_000;
/** Per poll. The next one continues behind them. */
const PAGES = 20;

/**
 * Follows the audit trail for changes that other relays on the database have made, such as a revoked key, so that what this relay holds in
 * memory ends with them. Whatever is revoked or changed is recorded there in the same transaction, so one indexed query covers all accounts.
 * Only times of the database are compared. The embedded database has no other relay, and is not polled.
 */
@Injectable()
export class AuditTail implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Audit');
  private readonly listeners = new Map<string, RemoteChangeListener[]>();
  private readonly poll: ChangePoll;
  /** The time of the last poll, by the clock of the database. */
  private since: string | null = null;
  /** Ids within the overlap, which are read again. */
  private applied = new Set<AuditEventId>();

  constructor(
    private readonly store: AuditEventsStore,
    private readonly audited: AuditedChanges,
    private readonly notices: ChangeNotices,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    this.poll = new ChangePoll({
      read: () => this.read(),
      everyMs: config.settings.changesPollMs,
      onFailure: (error) => {
        this.logger.warn('changes of other relays not read', { error: String(error) });
      },
    });
  }

  /** @param kind of the changed object, as in the audit trail */
  listen(kind: string, listener: RemoteChangeListener): void {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), listener]);
  }

  onApplicationBootstrap(): void {
    if (this.config.settings.databaseUrl === undefined) return;
    this.notices.received$.subscribe((notice) => {
      if (notice === 'audit') this.poll.notice();
    });
    this.poll.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.poll.stop();
  }

  /** Rejects when the database does not answer, or a listener has failed; the next call repeats what was not applied. */
  async read(): Promise<void> {
    const applied = new Set<AuditEventId>();
    const failures: unknown[] = [];
    let next: string | null = null;
    let after: TailPosition | null = null;
    for (let page = 0; page < PAGES; page += 1) {
      const range = { since: this.since, after, overlapMs: OVERLAP_MS };
      const { events, horizon }: Tail = await this.store.tail(range, PAGE_EVENTS);
      for (const event of events) {
        try {
          if (!this.applied.has(event.id)) await this.apply(event);
          applied.add(event.id);
        } catch (error) {
          failures.push(error);
        }
      }
      next ??= horizon;
      const last = events.at(-1);
      if (last === undefined || events.length < PAGE_EVENTS) {
        after = null;
        break;
      }
      after = last.position;
    }
    this.applied = applied;
    if (after !== null) this.since = after.createdAt;
    else if (failures.length === 0) this.since = next;
    if (failures.length > 0) throw failures[0];
  }

  private async apply({ id, accountId, kind, action, objectId }: TailEvent): Promise<void> {
    if (this.audited.isOwn(id)) return;
    for (const listener of this.listeners.get(kind) ?? []) await listener({ accountId, action, objectId });
    this.audited.publish({ accountId, kind });
  }
}
