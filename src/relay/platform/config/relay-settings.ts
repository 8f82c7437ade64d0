/** Every setting of the relay. A limit or timeout carries its unit in its name. `ferry config` prints this table. */
import type { LoadedSettings, Setting, SettingsOf } from '../../../kernel/settings.js';
import { accountSettings } from './settings/account-settings.js';
import { answerSettings } from './settings/answer-settings.js';
import { bodySettings } from './settings/body-settings.js';
import { databaseSettings } from './settings/database-settings.js';
import { linkSettings } from './settings/link-settings.js';
import { serverSettings } from './settings/server-settings.js';

export const relaySettings = {
  ...serverSettings,
  ...databaseSettings,
  ...bodySettings,
  ...answerSettings,
  ...linkSettings,
  ...accountSettings,
} as const satisfies Record<string, Setting<unknown>>;

export type RelaySettings = SettingsOf<typeof relaySettings>;
export type LoadedRelaySettings = LoadedSettings<typeof relaySettings>;
