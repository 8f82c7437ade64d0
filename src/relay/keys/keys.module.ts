import { Inject, Module, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { systemClock } from '../../kernel/clock.js';
import type { ApiKeyId } from '../../kernel/ids.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../accounts/audit/audit.module.js';
import { AuditTail } from '../accounts/audit/audit-tail.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeysStore } from './api-keys.store.js';
import { KeyRevocations } from './key-revocations.js';
import { KeyVerifier } from './key-verifier.js';
import { KeysController } from './keys.controller.js';
import { KeysService } from './keys.service.js';
import { LastUsedRecorder } from './last-used-recorder.js';

/** Concurrent look-ups of unknown keys: a flood of invalid keys must not use up the connection pool. */
const LOOK_UPS_AT_ONCE = 256;

const createRecorder = (store: ApiKeysStore, { settings }: RelayConfig): LastUsedRecorder =>
  new LastUsedRecorder((used) => store.markUsed(used), settings.keyCacheEntries, systemClock);

const createVerifier = (
  store: ApiKeysStore,
  revocations: KeyRevocations,
  recorder: LastUsedRecorder,
  { settings }: RelayConfig,
): KeyVerifier =>
  new KeyVerifier(
    store,
    revocations,
    recorder,
    {
      freshMs: settings.keyCacheFreshMs,
      staleMs: settings.keyCacheStaleMs,
      maxEntries: settings.keyCacheEntries,
      maxLoads: LOOK_UPS_AT_ONCE,
    },
    systemClock,
  );

@Module({
  imports: [AccountsModule, AuditModule, TypeOrmModule.forFeature([ApiKeyEntity])],
  controllers: [KeysController],
  providers: [
    ApiKeysStore,
    KeysService,
    KeyRevocations,
    { provide: LastUsedRecorder, inject: [ApiKeysStore, RELAY_CONFIG], useFactory: createRecorder },
    {
      provide: KeyVerifier,
      inject: [ApiKeysStore, KeyRevocations, LastUsedRecorder, RELAY_CONFIG],
      useFactory: createVerifier,
    },
  ],
  exports: [KeysService, KeyVerifier, KeyRevocations],
})
export class KeysModule implements OnModuleInit, BeforeApplicationShutdown {
  constructor(
    @Inject(LastUsedRecorder) private readonly recorder: LastUsedRecorder,
    private readonly revocations: KeyRevocations,
    private readonly tail: AuditTail,
  ) {}

  onModuleInit(): void {
    this.tail.listen('key', ({ accountId, action, objectId }) => {
      const key = { accountId, keyPublicId: objectId as ApiKeyId };
      if (action === 'key.revoke') this.revocations.announce(key);
      else if (action !== 'key.create') this.revocations.announceChange(key);
    });
  }

  /** Before `onApplicationShutdown`, which closes the database. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.recorder.flush();
  }
}
