import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { filter } from 'rxjs';
import type { ExtensionName } from '../../kernel/extension.js';
import { AuditTrail } from '../accounts/audit/audit-trail.store.js';
import { AuditedChanges } from '../accounts/audit/audited-changes.store.js';
import type { Principal } from '../platform/access/principal.js';
import { ChangePoll } from '../platform/changes/change-poll.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ExtensionChoicesStore } from './extension-choices.store.js';
import { ExtensionState } from './extension-state.js';

/** A switch is applied by every replica within two seconds, also where no bus tells of it. */
const LONGEST_POLL_MS = 1_500;

/** Switches extensions, and keeps what is in memory as the database has it. */
@Injectable()
export class ExtensionsService implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Extensions');
  private readonly poll: ChangePoll;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: ExtensionChoicesStore,
    private readonly state: ExtensionState,
    private readonly audit: AuditTrail,
    private readonly audited: AuditedChanges,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    this.poll = new ChangePoll({
      read: () => this.refresh(),
      everyMs: Math.min(LONGEST_POLL_MS, config.settings.changesPollMs),
      onFailure: (error) => {
        this.logger.warn('extensions of accounts not read', { error: String(error) });
      },
    });
  }

  async onModuleInit(): Promise<void> {
    await this.refresh();
    // A new account may be the first one without an extension.
    this.audited.published$.pipe(filter(({ kind }) => kind === 'account')).subscribe(() => {
      this.refresh().catch((error: unknown) => {
        this.logger.warn('extensions of accounts not read', { error: String(error) });
      });
    });
  }

  /** The embedded database has no other relay. */
  onApplicationBootstrap(): void {
    if (this.config.settings.databaseUrl !== undefined) this.poll.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.poll.stop();
  }

  /** @param on null: as the relay's default */
  async choose(actor: Principal, name: ExtensionName, on: boolean | null): Promise<void> {
    const { accountId } = actor;
    const text = (choice: boolean | null): string => (choice === null ? 'default' : choice ? 'on' : 'off');
    await this.store.transaction(async (manager) => {
      const before = (await this.store.of(manager, accountId))[name] ?? null;
      if (before === on) return;
      await this.store.choose(manager, accountId, name, on);
      const object = { kind: 'account', id: accountId };
      const detail = { extension: name, from: text(before), to: text(on) };
      await this.audit.record(manager, { accountId, actor, action: 'account.extension', object, detail });
    });
    await this.refresh();
  }

  /** One read after the other: an older one must not replace what a newer one has found. */
  private refresh(): Promise<void> {
    const read = async (): Promise<void> => {
      this.state.apply(await this.store.all());
    };
    this.reading = this.reading.then(read, read);
    return this.reading;
  }
}
