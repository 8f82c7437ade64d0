import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { loadSettings, SettingsError, type Setting } from './settings.js';

const table = {
  port: { env: 'T_PORT', schema: z.coerce.number().int().min(0), fallback: '80', description: '' },
  name: { env: 'T_NAME', schema: z.string().optional(), description: '' },
} satisfies Record<string, Setting<unknown>>;

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
});
