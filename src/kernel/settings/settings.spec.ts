import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { integer, setting, type SettingsTable } from './setting.js';
import { SettingsError } from './settings-error.js';
import { loadSettings } from './settings.js';

const table = {
  port: { env: 'T_PORT', schema: z.coerce.number().int().min(0), fallback: '80', description: '' },
  name: { env: 'T_NAME', schema: z.string().optional(), description: '' },
} satisfies SettingsTable;

describe('settings', () => {
  it('prefers flag over environment over default, and reports the source', () => {
    expect(loadSettings(table, {}).values.port).toBe(80);
    expect(loadSettings(table, { T_PORT: '81' }).values.port).toBe(81);
    const loaded = loadSettings(table, { T_PORT: '81' }, { port: '82' });
    expect(loaded.values.port).toBe(82);
    expect(loaded.sources).toEqual({ port: 'flag', name: 'default' });
  });

  it('reads an empty variable as not set', () => {
    expect(loadSettings(table, { T_PORT: '' }).values.port).toBe(80);
  });

  it('freezes what it returns', () => {
    expect(Object.isFrozen(loadSettings(table, {}).values)).toBe(true);
  });

  it('reports every problem at once, by the name of its variable', () => {
    const strict = { ...table, other: { env: 'T_OTHER', schema: z.coerce.number(), description: '' } };
    const load = (): unknown => loadSettings(strict, { T_PORT: 'x', T_OTHER: 'y' });
    expect(load).toThrow(SettingsError);
    expect(load).toThrow(/T_PORT[\s\S]*T_OTHER/);
  });

  describe('a wrong value', () => {
    const units = {
      waitMs: setting('T_WAIT_MS', integer(1_000, 600_000), '5000', ''),
      count: setting('T_COUNT', integer(1, 10), '1', ''),
      level: setting('T_LEVEL', z.enum(['info', 'warn']), 'info', ''),
      key: setting('T_KEY', z.string().min(32, 'needs at least 32 characters').optional(), undefined, '', {
        secret: true,
      }),
    };
    const problemOf = (env: Record<string, string>): string => {
      try {
        loadSettings(units, env);
        return 'none';
      } catch (error) {
        return (error as SettingsError).problems.join('\n');
      }
    };

    it.each([
      ['T_WAIT_MS', '5 sec', 'T_WAIT_MS="5 sec": must be a time from 1s to 10min; a bare number is in milliseconds'],
      ['T_WAIT_MS', '1h', 'T_WAIT_MS="1h": must be a time from 1s to 10min; a bare number is in milliseconds'],
      ['T_COUNT', '0', 'T_COUNT="0": must be a whole number from 1 to 10'],
      ['T_COUNT', '5s', 'T_COUNT="5s": must be a whole number from 1 to 10'],
      ['T_LEVEL', 'warm', 'T_LEVEL="warm": must be one of info, warn. Did you mean warn?'],
    ])('%s=%s is shown with what is expected', (name, value, problem) => {
      expect(problemOf({ [name]: value })).toBe(problem);
    });

    it('a wrong value is not shown when it is a secret', () => {
      expect(problemOf({ T_KEY: 'hunter2' })).toBe('T_KEY: needs at least 32 characters');
    });

    it('a wrong value is shown without what could rewrite a terminal, and not at any length', () => {
      const shown = problemOf({ T_COUNT: `\u001b[2J${'x'.repeat(10_000)}` });
      expect(shown).not.toContain('\u001b');
      expect(shown.length).toBeLessThan(200);
    });
  });

  it('takes an amount with a unit where the name has one', () => {
    const table = { waitMs: setting('T_WAIT_MS', integer(0, 600_000), '5s', '') };
    expect(loadSettings(table, { T_WAIT_MS: '1.5min' }).values.waitMs).toBe(90_000);
    expect(loadSettings(table, {}).values.waitMs).toBe(5_000);
  });
});
