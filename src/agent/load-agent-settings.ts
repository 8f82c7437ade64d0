import { describeSettings, type DescribedSettings } from '../kernel/settings/describe-settings.js';
import { readSettingsFile } from '../kernel/settings/settings-file.js';
import { loadSettings, type LoadedSettings } from '../kernel/settings/settings.js';
import { isOfNode, unknownVariables, unknownVariableText } from '../kernel/settings/unknown-variables.js';
import { agentSettings } from './agent-settings.js';

export { agentSettings } from './agent-settings.js';

export interface LoadedAgentSettings extends LoadedSettings<typeof agentSettings> {
  /** Misspelt variables are logged. */
  readonly warnings: readonly string[];
}

/** Reads flags, the environment and the section `[node]` of the settings file. @throws SettingsError */
export function loadAgentSettings(
  env: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<keyof typeof agentSettings, string | undefined>>> = {},
): LoadedAgentSettings {
  const unknown = unknownVariables(env, [agentSettings]).filter(({ variable }) => isOfNode(variable));
  return {
    ...loadSettings(agentSettings, env, flags, readSettingsFile(env, 'node')),
    warnings: unknown.map(unknownVariableText),
  };
}

export const describeAgentSettings = (env: Readonly<Record<string, string | undefined>>): DescribedSettings =>
  describeSettings({ program: 'node', groups: [{ title: 'Node', settings: agentSettings }], env });
