import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Subject, type Observable } from 'rxjs';
import type { DataSource, EntityManager, EntitySubscriberInterface, TransactionCommitEvent } from 'typeorm';
import type { AccountId, AuditEventId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';
import { AccountChanges, type ChangeTopic } from '../../platform/api/account-changes.js';
import { ChangeNotices } from '../../platform/changes/change-notices.js';

/** By the kind of the changed object. A change of one thing shows in the lists of others, too. */
const topicsOfKind: Readonly<Record<string, readonly ChangeTopic[]>> = {
  account: ['account'],
  'cli-token': ['sessions'],
  cluster: ['clusters', 'nodes', 'models'],
  invite: ['invites', 'users'],
  join_token: ['join-tokens'],
  key: ['keys'],
  node: ['nodes', 'join-tokens', 'models'],
  operation: ['operations'],
  session: ['sessions'],
  user: ['users', 'sessions', 'invites', 'join-tokens'],
};

interface AuditedChange {
  readonly accountId: AccountId;
  readonly kind: string;
}

interface OwnChange extends AuditedChange {
  readonly id: AuditEventId;
}

/** Enough for the time in which the audit trail is read again. A change that is forgotten is published twice. */
const REMEMBERED_CHANGES = 10_000;

const CHANGES = 'auditedChanges';
type TransactionData = Record<typeof CHANGES, OwnChange[] | undefined>;

/** Remembers an audited change until its transaction commits: before that, readers would still see the old state. */
export function noteAuditedChange({ queryRunner }: EntityManager, change: OwnChange): void {
  if (queryRunner === undefined) return;
  const data = queryRunner.data as TransactionData;
  (data[CHANGES] ??= []).push(change);
}

/** Publishes audited changes once they are committed. */
@Injectable()
export class AuditedChanges implements EntitySubscriberInterface {
  private readonly own = new LruMap<AuditEventId, true>(REMEMBERED_CHANGES);
  private readonly published = new Subject<AuditedChange>();

  /** Emits after the commit, also for changes of other relays. Listeners must not throw. */
  readonly published$: Observable<AuditedChange> = this.published.asObservable();

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly changes: AccountChanges,
    private readonly notices: ChangeNotices,
  ) {
    dataSource.subscribers.push(this);
  }

  afterTransactionCommit({ queryRunner }: TransactionCommitEvent): void {
    // A released savepoint is no commit.
    if (queryRunner.isTransactionActive) return;
    const data = queryRunner.data as TransactionData;
    const noted = data[CHANGES];
    data[CHANGES] = undefined;
    if (noted === undefined) return;
    for (const change of noted) {
      this.own.set(change.id, true);
      this.publish(change);
    }
    this.notices.send('audit');
  }

  /** Whether the change was made at this relay, and published when it was committed. */
  isOwn(id: AuditEventId): boolean {
    return this.own.get(id) === true;
  }

  publish({ accountId, kind }: AuditedChange): void {
    this.changes.publish(accountId, 'audit');
    for (const topic of topicsOfKind[kind] ?? []) this.changes.publish(accountId, topic);
    this.published.next({ accountId, kind });
  }
}
