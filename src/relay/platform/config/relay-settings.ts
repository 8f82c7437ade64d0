/** Every setting of the relay. A limit or timeout carries its unit in its name. `ferry config` prints this table. */
import type { SettingsOf, SettingsTable } from '../../../kernel/settings/setting.js';
import type { LoadedSettings } from '../../../kernel/settings/settings.js';
import { accountSettings, operationSettings } from './settings/account-settings.js';
import { answerSettings } from './settings/answer-settings.js';
import { auditSettings, usageSettings } from './settings/usage-settings.js';
import { bodySettings } from './settings/body-settings.js';
import { capacitySettings } from './settings/capacity-settings.js';
import { databaseSettings } from './settings/database-settings.js';
import { hedgingSettings, routingSettings } from './settings/routing-settings.js';
import { linkSettings } from './settings/link-settings.js';
import { managementSettings } from './settings/management-settings.js';
import { oidcSettings } from './settings/oidc-settings.js';
import { peopleSettings } from './settings/people-settings.js';
import { replicaSettings } from './settings/replica-settings.js';
import { serverSettings } from './settings/server-settings.js';

export const relaySettings = {
  ...serverSettings,
  ...databaseSettings,
  ...replicaSettings,
  ...bodySettings,
  ...answerSettings,
  ...capacitySettings,
  ...routingSettings,
  ...hedgingSettings,
  ...linkSettings,
  ...accountSettings,
  ...operationSettings,
  ...managementSettings,
  ...peopleSettings,
  ...oidcSettings,
  ...auditSettings,
  ...usageSettings,
} as const satisfies SettingsTable;

export type RelaySettings = SettingsOf<typeof relaySettings>;
export type LoadedRelaySettings = LoadedSettings<typeof relaySettings>;
