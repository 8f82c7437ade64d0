import path from 'node:path';
import { dataDirectory } from '../../../kernel/data-directory.js';
import { loadSettings, SettingsError } from '../../../kernel/settings/settings.js';
import { relaySettings, type LoadedRelaySettings } from './relay-settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Names of settings and their values from the command line. */
export type SettingFlags = Readonly<Partial<Record<keyof typeof relaySettings, string>>>;

/** @throws SettingsError that names every problem at once, also those between two settings */
export function loadRelaySettings(env: Environment, flags: SettingFlags = {}): LoadedRelaySettings {
  const problems = findConflicts(env, flags);
  let loaded: LoadedRelaySettings | undefined;
  try {
    loaded = loadSettings(relaySettings, env, flags);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.unshift(...error.problems);
  }
  if (loaded === undefined || problems.length > 0) throw new SettingsError(problems);
  return loaded;
}

/** The relay's own folder: database, secret, lock. */
export const relayDirectory = (env: Environment): string => path.join(dataDirectory(env), 'relay');

/** Checks whether values are present, not whether they are valid: that is a separate problem. */
function findConflicts(env: Environment, flags: SettingFlags): string[] {
  const isSet = (name: keyof typeof relaySettings): boolean =>
    (flags[name] ?? env[relaySettings[name].env] ?? '') !== '';
  const conflicts: string[] = [];
  if (isSet('databaseUrl') && !isSet('secret')) {
    conflicts.push('FERRY_SECRET: is required with DATABASE_URL (openssl rand -base64 48), the same at every start');
  }
  if (isSet('natsUrl') && !isSet('databaseUrl')) {
    conflicts.push('DATABASE_URL: is required with NATS_URL, because all relays share one Postgres database');
  }
  return conflicts;
}
