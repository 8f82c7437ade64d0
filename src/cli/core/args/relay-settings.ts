import type { Environment } from '../../invocation.js';
import type { ListenFlags } from './listen-address.js';

/** Reads the settings of the relay that would be started with these flags. @throws SettingsError */
export async function relaySettingsOf(env: Environment, { host, port }: ListenFlags) {
  const { loadRelaySettings } = await import('../../../relay/app/settings.js');
  return loadRelaySettings(env, {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
  });
}
