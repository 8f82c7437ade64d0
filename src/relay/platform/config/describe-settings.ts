import type { SettingSource } from '../../../kernel/settings/settings.js';
import { relaySettings } from './relay-settings.js';
import { loadRelaySettings, type Environment, type SettingFlags } from './resolve-relay-config.js';

/** One line of `ferry config`. */
export interface SettingDescription {
  /** With its unit, such as `streamHeartbeatMs`. */
  readonly name: string;
  readonly env: string;
  /** Effective; null when unset, `********` when it is a secret. */
  readonly value: string | number | null;
  readonly source: SettingSource;
  readonly description: string;
}

const MASK = '********';

/** Effective settings of the relay. @throws SettingsError */
export function describeSettings(env: Environment, flags: SettingFlags = {}): SettingDescription[] {
  const { values, sources } = loadRelaySettings(env, flags);
  return Object.entries(relaySettings).map(([key, setting]) => {
    const name = key as keyof typeof relaySettings;
    const value = values[name] ?? null;
    return {
      name,
      env: setting.env,
      value: value !== null && setting.secret === true ? MASK : value,
      source: sources[name],
      description: setting.description,
    };
  });
}
