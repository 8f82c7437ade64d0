/** Every setting of the relay. A limit or timeout carries its unit in its name. `ferry config` prints this table. */
import type { SettingsOf, SettingsTable } from '../../../kernel/settings/setting.js';
import type { SettingGroup } from '../../../kernel/settings/describe-settings.js';
import { accountSettings, operationSettings } from './settings/account-settings.js';
import { responseSettings } from './settings/response-settings.js';
import { auditSettings, usageSettings } from './settings/usage-settings.js';
import { bodySettings } from './settings/body-settings.js';
import { capacitySettings } from './settings/capacity-settings.js';
import { databaseSettings } from './settings/database-settings.js';
import { extensionSettings } from './settings/extension-settings.js';
import { hedgingSettings, routingSettings } from './settings/routing-settings.js';
import { linkSettings } from './settings/link-settings.js';
import { managementSettings } from './settings/management-settings.js';
import { oidcSettings } from './settings/oidc-settings.js';
import { peopleSettings } from './settings/people-settings.js';
import { replicaSettings } from './settings/replica-settings.js';
import { serverSettings } from './settings/server-settings.js';
import { traceSettings } from './settings/trace-settings.js';

export const relaySettings = {
  ...serverSettings,
  ...traceSettings,
  ...databaseSettings,
  ...replicaSettings,
  ...bodySettings,
  ...responseSettings,
  ...extensionSettings,
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

/** The same settings as `ferry config` and the documentation group them. */
export const relaySettingGroups: readonly SettingGroup[] = [
  { title: 'Server', settings: serverSettings },
  { title: 'Traces', settings: traceSettings },
  { title: 'Database and secret', settings: databaseSettings },
  { title: 'Several relays', settings: replicaSettings },
  { title: 'Request bodies', settings: bodySettings },
  { title: 'Timeouts and streams', settings: responseSettings },
  { title: 'Extensions', settings: extensionSettings },
  { title: 'Health and rate limits', settings: capacitySettings },
  { title: 'Routing', settings: routingSettings },
  { title: 'Hedging', settings: hedgingSettings },
  { title: 'Links to nodes', settings: linkSettings },
  { title: 'Limits of an account', settings: accountSettings },
  { title: 'Operations', settings: operationSettings },
  { title: 'Management API', settings: managementSettings },
  { title: 'Sign-in', settings: peopleSettings },
  { title: 'OpenID Connect', settings: oidcSettings },
  { title: 'Audit trail', settings: auditSettings },
  { title: 'Usage', settings: usageSettings },
];
