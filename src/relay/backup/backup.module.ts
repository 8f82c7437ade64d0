import { Inject, Logger, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { systemClock } from '../../kernel/clock.js';
import { serveControl } from '../../kernel/control-socket.js';
import type { JsonObject } from '../../kernel/json-object.js';
import type { LineServer } from '../../kernel/local-socket.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { EmbeddedMaintenance } from '../platform/database/embedded-maintenance.store.js';
import { CHECKPOINT_REQUEST, RELAY_CONTROL, type CheckpointResponse } from './relay-control.js';

/** The part that a running relay has in a backup of its embedded database. Postgres is read beside the relay. */
@Module({})
export class BackupModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Backup');
  private control: LineServer | undefined;

  constructor(
    private readonly database: EmbeddedMaintenance,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { settings, dataDirectory } = this.config;
    if (settings.databaseUrl !== undefined) return;
    try {
      this.control = await serveControl(dataDirectory, RELAY_CONTROL, (request) => this.respond(request));
    } catch (error) {
      this.logger.warn('no backup can be taken while this relay runs', { error: String(error) });
    }
  }

  /** Before `onApplicationShutdown`, which closes the database. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.control?.close();
  }

  private async respond({ request }: JsonObject): Promise<JsonObject> {
    if (request !== CHECKPOINT_REQUEST.request) throw new Error('this relay does not know the request');
    const sinceMs = systemClock.monotonicMs();
    await this.database.checkpointForCopy();
    const held_up_ms = Math.ceil(systemClock.monotonicMs() - sinceMs);
    this.logger.log('the database is ready for a backup', { held_up_ms });
    return { held_up_ms } satisfies CheckpointResponse;
  }
}
