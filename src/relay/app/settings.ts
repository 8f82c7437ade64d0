/** The settings of the relay for the command line, without the rest of the relay. */
import { describeSettings, type DescribedSettings } from '../../kernel/settings/describe-settings.js';
import { relaySettingGroups } from '../platform/config/relay-settings.js';
import { findConflicts, type Environment } from '../platform/config/resolve-relay-config.js';

export { relaySettings, type RelaySettings } from '../platform/config/relay-settings.js';
export { loadRelaySettings } from '../platform/config/resolve-relay-config.js';

export const describeRelaySettings = (env: Environment): DescribedSettings =>
  describeSettings({ program: 'relay', groups: relaySettingGroups, env, findConflicts });
