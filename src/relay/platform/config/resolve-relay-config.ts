import path from 'node:path';
import { dataDirectory } from '../../../kernel/data-directory.js';
import { readSettingsFile, type FileSection } from '../../../kernel/settings/settings-file.js';
import { SettingsError } from '../../../kernel/settings/settings-error.js';
import {
  exposedSecrets,
  loadSettings,
  resolveSetting,
  type LoadedSettings,
  type SettingInputs,
} from '../../../kernel/settings/settings.js';
import { isOfNode, unknownVariables, unknownVariableText } from '../../../kernel/settings/unknown-variables.js';
import { relaySettings } from './relay-settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Names of settings and their values from the command line. */
export type SettingFlags = Readonly<Partial<Record<keyof typeof relaySettings, string>>>;

export interface LoadedRelaySettings extends LoadedSettings<typeof relaySettings> {
  /** For the log: misspelt variables, and secrets that everybody can read. */
  readonly warnings: readonly string[];
}

/** @throws SettingsError that names every problem at once, also those between two settings */
export function loadRelaySettings(env: Environment, flags: SettingFlags = {}): LoadedRelaySettings {
  const file = readSettingsFile(env, 'relay');
  const problems = findConflicts({ env, flags, file });
  let loaded: LoadedSettings<typeof relaySettings> | undefined;
  try {
    loaded = loadSettings(relaySettings, env, flags, file);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.unshift(...error.problems);
  }
  if (loaded === undefined || problems.length > 0) throw new SettingsError(problems);
  return { ...loaded, warnings: warningsOf(env, file) };
}

function warningsOf(env: Environment, file: FileSection | undefined): readonly string[] {
  const unknown = unknownVariables(env, [relaySettings]).filter(({ variable }) => !isOfNode(variable));
  const exposed = exposedSecrets(relaySettings, file);
  return [...unknown.map(unknownVariableText), ...(exposed === undefined ? [] : [exposed])];
}

/** The relay's own folder: database, secret, lock. */
export const relayDirectory = (env: Environment): string => path.join(dataDirectory(env), 'relay');

/** Checks whether values are present, not whether they are valid: that is a separate problem. */
export function findConflicts(inputs: SettingInputs): string[] {
  const isSet = (name: keyof typeof relaySettings): boolean =>
    (resolveSetting(name, relaySettings[name], inputs).text ?? '') !== '';
  const conflicts: string[] = [];
  if (isSet('databaseUrl') && !isSet('secret')) {
    conflicts.push('FERRY_SECRET: is required with DATABASE_URL (openssl rand -base64 48), the same at every start');
  }
  if (isSet('natsUrl') && !isSet('databaseUrl')) {
    conflicts.push('DATABASE_URL: is required with NATS_URL, because all relays share one Postgres database');
  }
  const workers = resolveSetting('workers', relaySettings.workers, inputs).text ?? '1';
  if (workers !== '1' && workers !== 'auto' && !isSet('databaseUrl')) {
    conflicts.push(
      'DATABASE_URL: is required with FERRY_WORKERS, because only one process can open the embedded database',
    );
  }
  if (isSet('oidcEmailDomains') && !isSet('oidcAccount')) {
    conflicts.push(
      'FERRY_OIDC_ACCOUNT: is required with FERRY_OIDC_EMAIL_DOMAINS, because a relay may have several accounts (ferry accounts)',
    );
  }
  return conflicts;
}
