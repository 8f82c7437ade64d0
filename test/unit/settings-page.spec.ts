import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { renderSettingsPage, settingsPagePath } from '../../scripts/settings-page.js';
import { agentSettings } from '../../src/agent/agent-settings.js';
import { expectedValue } from '../../src/kernel/settings/expected-value.js';
import { withoutUnit, withUnit } from '../../src/kernel/settings/quantity.js';
import { isOfNode } from '../../src/kernel/settings/unknown-variables.js';
import { relaySettingGroups, relaySettings } from '../../src/relay/platform/config/relay-settings.js';

describe('docs/operate/configuration.md', () => {
  it('docs/operate/configuration.md is up to date with the settings (else run `npm run docs:settings`)', () => {
    expect(readFileSync(settingsPagePath, 'utf8')).toBe(renderSettingsPage());
  });

  it('docs/operate/configuration.md has every setting of the relay once', () => {
    const shown = relaySettingGroups.flatMap(({ settings }) => Object.keys(settings));
    expect(shown.toSorted()).toEqual(Object.keys(relaySettings).toSorted());
  });
});

describe('the settings of relay and node', () => {
  const all = [...Object.values(relaySettings), ...Object.values(agentSettings)];

  it('the settings of relay and node have defaults and limits that read back from the spelling in the documentation', () => {
    for (const setting of all) {
      const expected = expectedValue(setting);
      if (expected.kind !== 'integer') continue;
      for (const amount of [expected.min, expected.max, Number(setting.fallback ?? expected.min)]) {
        expect([setting.env, withoutUnit(setting.env, withUnit(setting.env, amount))]).toEqual([
          setting.env,
          String(amount),
        ]);
      }
    }
  });

  it('the settings of relay and node can be told apart by how their names begin', () => {
    expect(Object.values(agentSettings).filter(({ env }) => !isOfNode(env))).toEqual([]);
    expect(Object.values(relaySettings).filter(({ env }) => isOfNode(env))).toEqual([]);
  });
});
