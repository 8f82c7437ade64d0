import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { relaySections, renderSettingsPage, settingsPagePath } from '../../scripts/settings-page.js';
import { relaySettings } from '../../src/relay/platform/config/relay-settings.js';

describe('docs/operate/configuration.md', () => {
  it('is up to date with the settings (else run `npm run docs:settings`)', () => {
    expect(readFileSync(settingsPagePath, 'utf8')).toBe(renderSettingsPage());
  });

  it('has every setting of the relay once', () => {
    const shown = relaySections.flatMap(({ settings }) => Object.keys(settings));
    expect(shown.toSorted()).toEqual(Object.keys(relaySettings).toSorted());
  });
});
