import { describe, expect, it } from '@jest/globals';
import { LiveSettings, reloadSettings } from './live-settings.js';
import { integer, reloadable, setting } from './setting.js';
import { loadSettings } from './settings.js';

const table = {
  limit: setting('T_LIMIT', integer(0, 10), '1', '', reloadable),
  port: setting('T_PORT', integer(0, 10), '1', ''),
};
const load = (env: Record<string, string>) => loadSettings(table, env);

const start = () => {
  const live = new LiveSettings(table, load({}).values);
  const lines: (readonly [string, object])[] = [];
  const write = (details: object, message: string): void => void lines.push([message, details]);
  return { live, lines, log: { info: write, warn: write, error: write } };
};

describe('a reload', () => {
  it('changes the settings that may change, in the object that features hold', () => {
    const { live, lines, log } = start();
    const { values } = live;
    reloadSettings(live, () => load({ T_LIMIT: '2', T_PORT: '2' }), log);
    expect(values).toEqual({ limit: 2, port: 1 });
    expect(lines).toEqual([
      ['settings reloaded', { changed: ['T_LIMIT'] }],
      ['changed settings need a restart', { settings: ['T_PORT'] }],
    ]);
  });

  it('a reload of a wrong configuration changes nothing', () => {
    const { live, lines, log } = start();
    reloadSettings(live, () => load({ T_LIMIT: '2', T_PORT: 'x' }), log);
    expect(live.values).toEqual({ limit: 1, port: 1 });
    expect(lines).toEqual([
      ['settings not reloaded', { problems: ['T_PORT="x": must be a whole number from 0 to 10'] }],
    ]);
  });

  it('passes on what is no mistake of the configuration', () => {
    const { live, log } = start();
    const fail = (): never => {
      throw new Error('out of memory');
    };
    expect(() => {
      reloadSettings(live, fail, log);
    }).toThrow('out of memory');
  });
});
