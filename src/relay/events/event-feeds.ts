import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../kernel/ids.js';
import { AccountChanges } from '../platform/api/account-changes.js';
import { NodeRegistry } from '../nodes/registry/node-registry.js';
import type { NodeChange } from '../nodes/registry/online-node.js';
import { OperationsService } from '../operations/operations.service.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ReplicaChanges } from './replica-changes.js';
import type { EventFeed } from './event-feed.js';

interface Account {
  readonly feeds: Set<EventFeed>;
  close(): void;
}

/** The open feeds of all accounts. A change costs one look-up, and one call per feed of its account. */
@Injectable()
export class EventFeeds implements OnModuleInit {
  private readonly accounts = new Map<AccountId, Account>();

  constructor(
    private readonly changes: AccountChanges,
    private readonly operations: OperationsService,
    private readonly registry: NodeRegistry,
    private readonly elsewhere: ReplicaChanges,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  onModuleInit(): void {
    this.registry.changes$.subscribe((change) => {
      this.onNodeChange(change);
    });
  }

  /** @returns closes the feed. @throws FerryError `rate_limit_exceeded`, `draining` */
  open(accountId: AccountId, feed: EventFeed): () => void {
    const known = this.accounts.get(accountId);
    if (known !== undefined && known.feeds.size >= this.config.settings.eventFeedsPerAccount) {
      throw new FerryError('rate_limit_exceeded', `This account already has ${known.feeds.size} open event feeds.`);
    }
    const account = known ?? this.openAccount(accountId);
    account.feeds.add(feed);
    return () => {
      account.feeds.delete(feed);
      if (account.feeds.size > 0 || this.accounts.get(accountId) !== account) return;
      this.accounts.delete(accountId);
      account.close();
    };
  }

  /** One subscription per account, so that feeds do not use up the progress streams that it may have. */
  private openAccount(accountId: AccountId): Account {
    const feeds = new Set<EventFeed>();
    const stopOperations = this.operations.watch(accountId, {
      next: (operation) => {
        for (const feed of feeds) feed.operationChanged(operation);
      },
      end: (error) => {
        for (const feed of [...feeds]) feed.end(error);
      },
    });
    const stopTopics = this.changes.listen(accountId, (topic) => {
      for (const feed of feeds) feed.topicChanged(topic);
    });
    const stopElsewhere = this.elsewhere.watch(accountId);
    const account = {
      feeds,
      close: () => {
        stopElsewhere();
        stopTopics();
        stopOperations();
      },
    };
    this.accounts.set(accountId, account);
    return account;
  }

  /** Each request changes the status of its node twice: nothing is done for an account without a feed at any replica. */
  private onNodeChange({ accountId, kind }: NodeChange): void {
    if (!this.changes.watched(accountId)) return;
    this.changes.publish(accountId, 'nodes');
    if (kind !== 'status') this.changes.publish(accountId, 'models');
  }
}
