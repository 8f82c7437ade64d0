import { Inject, Injectable } from '@nestjs/common';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { Retention } from '../../platform/lifecycle/retention.js';
import { EndedCredentialsStore, endingTables } from './ended-credentials.store.js';

/** Deletes sessions, tokens, links, invites and device logins a day after they have ended. */
@Injectable()
export class CredentialRetention extends Retention {
  constructor(
    private readonly store: EndedCredentialsStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    super({ context: 'Accounts', everyMs: 3_600_000, failureMessage: 'ended credentials not deleted' });
  }

  protected override async pruneAll(): Promise<void> {
    const { sessionIdleMs: idleMs, sessionLifetimeMs: lifetimeMs } = this.config.settings;
    await this.inBatches((rows) => this.store.pruneSessions({ idleMs, lifetimeMs }, rows));
    for (const table of endingTables) await this.inBatches((rows) => this.store.prune(table, rows));
  }
}
