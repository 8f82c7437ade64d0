import { access } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import { loadRelaySettings, relayDirectory, type Environment } from '../platform/config/resolve-relay-config.js';
import { databaseLocation } from '../platform/database/database-location.js';
import { BackupError } from './backup-format.js';

export interface RelayData {
  readonly settings: RelaySettings;
  readonly directory: string;
}

/** Opens what a command reads or changes on the relay's computer; only its own output is printed. @throws SettingsError · BackupError */
export async function openRelayData(env: Environment): Promise<RelayData> {
  Logger.overrideLogger(false);
  const { values: settings } = loadRelaySettings(env);
  const directory = relayDirectory(env);
  await requireDatabase(settings, directory);
  return { settings, directory };
}

/** An embedded database would be made where there is none: the wrong directory must not look like an empty relay. */
export async function requireDatabase(settings: RelaySettings, directory: string): Promise<void> {
  const location = databaseLocation(settings, directory);
  if ('url' in location || location.embedded.dataDir === undefined) return;
  await access(location.embedded.dataDir).catch((cause: unknown) => {
    throw new BackupError(
      `there is no relay in ${directory}`,
      'name its directory with --data-dir, or its database with DATABASE_URL and FERRY_SECRET',
      { cause },
    );
  });
}
