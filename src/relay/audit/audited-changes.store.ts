import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager, EntitySubscriberInterface, TransactionCommitEvent } from 'typeorm';
import type { AccountId } from '../../kernel/ids.js';
import { AccountChanges, type ChangeTopic } from '../api/account-changes.js';

/** By the kind of the changed object. A change of one thing shows in the lists of others, too. */
const topicsOfKind: Readonly<Record<string, readonly ChangeTopic[]>> = {
  account: ['account'],
  cluster: ['clusters', 'nodes', 'models'],
  invite: ['invites', 'users'],
  join_token: ['join-tokens'],
  key: ['keys'],
  node: ['nodes', 'join-tokens', 'models'],
  operation: ['operations'],
  session: ['sessions'],
  user: ['users', 'sessions', 'invites'],
};

interface AuditedChange {
  readonly accountId: AccountId;
  readonly kind: string;
}

const CHANGES = 'auditedChanges';
type TransactionData = Record<typeof CHANGES, AuditedChange[] | undefined>;

/** Remembers an audited change until its transaction commits: before that, readers would still see the old state. */
export function noteAuditedChange({ queryRunner }: EntityManager, change: AuditedChange): void {
  if (queryRunner === undefined) return;
  const data = queryRunner.data as TransactionData;
  (data[CHANGES] ??= []).push(change);
}

/** Publishes audited changes once they are committed. */
@Injectable()
export class AuditedChanges implements EntitySubscriberInterface {
  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly changes: AccountChanges,
  ) {
    dataSource.subscribers.push(this);
  }

  afterTransactionCommit({ queryRunner }: TransactionCommitEvent): void {
    // A released savepoint is no commit.
    if (queryRunner.isTransactionActive) return;
    const data = queryRunner.data as TransactionData;
    const noted = data[CHANGES];
    data[CHANGES] = undefined;
    for (const { accountId, kind } of noted ?? []) {
      this.changes.publish(accountId, 'audit');
      for (const topic of topicsOfKind[kind] ?? []) this.changes.publish(accountId, topic);
    }
  }
}
