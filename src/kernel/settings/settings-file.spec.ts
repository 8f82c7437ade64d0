import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { describeSettings } from './describe-settings.js';
import { integer, optionalText, setting } from './setting.js';
import { SettingsError } from './settings-error.js';
import { fileKey, readSettingsFile } from './settings-file.js';
import { exposedSecrets, loadSettings } from './settings.js';

const table = {
  port: setting('FERRY_PORT', integer(0, 65_535), '80', ''),
  waitMs: setting('FERRY_WAIT_MS', integer(0, 600_000), '1s', ''),
  proxies: setting('FERRY_PROXIES', z.string(), '', ''),
  headers: setting('FERRY_HEADERS', z.enum(['on', 'off']), 'off', ''),
  databaseUrl: setting('DATABASE_URL', optionalText, undefined, '', { secret: true }),
};

let directory: string;
let file: string;
let env: Record<string, string>;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'ferry-toml-'));
  file = path.join(directory, 'ferry.toml');
  env = { FERRY_DATA_DIR: directory };
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const write = (...lines: readonly string[]): void => {
  writeFileSync(file, lines.join('\n'), { mode: 0o600 });
};
const load = (flags = {}) => loadSettings(table, env, flags, readSettingsFile(env, 'relay'));
const problemsOf = (): readonly string[] => {
  try {
    load();
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as SettingsError).problems;
  }
};

describe('ferry.toml', () => {
  it('wins over defaults, and the environment and flags win over it', () => {
    write('[relay]', 'port = 81', 'wait_ms = "5min"');
    expect(load()).toMatchObject({ values: { port: 81, waitMs: 300_000 }, sources: { port: 'file' } });
    env['FERRY_PORT'] = '82';
    expect(load()).toMatchObject({ values: { port: 82 }, sources: { port: 'environment' } });
    expect(load({ port: '83' })).toMatchObject({ values: { port: 83 }, sources: { port: 'flag' } });
  });

  it('ferry.toml has lists, switches and names without the prefix', () => {
    write('[relay]', 'proxies = ["127.0.0.1", "10.0.0.0/8"]', 'headers = true', 'database_url = "postgres://db"');
    expect(load().values).toMatchObject({
      proxies: '127.0.0.1,10.0.0.0/8',
      headers: 'on',
      databaseUrl: 'postgres://db',
    });
    expect(fileKey('FERRY_NODE_NAME')).toBe('name');
    expect(fileKey('FERRY_NODES_PER_ACCOUNT')).toBe('nodes_per_account');
  });

  it('ferry.toml may be missing, but not where FERRY_CONFIG_FILE names it', () => {
    expect(load().sources.port).toBe('default');
    env['FERRY_CONFIG_FILE'] = path.join(directory, 'other.toml');
    expect(problemsOf()).toEqual([`${directory}/other.toml: there is no such file`]);
    writeFileSync(env['FERRY_CONFIG_FILE'], 'relay.port = 90');
    expect(load().values.port).toBe(90);
  });

  it('ferry.toml has one section for each program, which does not read that of the other', () => {
    write('[node]', 'port = "of the node"', '[relay]', 'port = 81');
    expect(load().values.port).toBe(81);
  });

  it.each([
    [['[relay]', '', 'port = "x"'], ':3: port="x": must be a whole number from 0 to 65535'],
    [
      ['# port = 1', '[relay] # the relay', '  wait_ms = "1 hour"'],
      ':3: wait_ms="1 hour": must be a time from 0 to 10min; a bare number is in milliseconds',
    ],
    [['relay.port = -1'], ':1: port="-1": must be a whole number from 0 to 65535'],
    [['[relay]', 'prot = 1'], ':2: prot is not a setting. Did you mean port?'],
    [['[relay]', 'FERRY_PORT = 1'], ':2: FERRY_PORT is not a setting. Did you mean port?'],
    [['[relay]', 'port = { a = 1 }'], ':2: port must be text, a number, true, false, or a list of texts or numbers'],
    [['[relai]', 'port = 1'], ':1: [relai] is unknown; sections are [relay] and [node]'],
    [['port = 1'], ':1: port is in no section; write it below [relay] or [node]'],
  ])('%j: a mistake is shown with its line', (lines, problem) => {
    write(...lines);
    expect(problemsOf()).toEqual([`${file}${problem}`]);
  });

  it('ferry.toml that is not TOML is shown with the line, but not its content', () => {
    write('[relay]', 'database_url = "postgres://u:hunter2@db', 'port = 1');
    expect(problemsOf()).toEqual([expect.stringMatching(new RegExp(`^${file}:\\d+: `))]);
    expect(problemsOf().join()).not.toContain('hunter2');
    write('[relay]', 'host = "0.0.0.0', 'port = 1');
    expect(problemsOf()).toEqual([`${file}:2: a text does not end with a quote on its line`]);
  });

  it('ferry.toml is part of what ferry config shows, also when it is wrong', () => {
    const describeRelay = () =>
      describeSettings({ program: 'relay', groups: [{ title: 'All', settings: table }], env });
    write('[relay]', 'port = "x"', 'wait_ms = 5');
    const { settings, problems } = describeRelay();
    expect(settings.find(({ name }) => name === 'waitMs')).toMatchObject({
      value: 5,
      source: 'file',
      place: `${file}:3`,
    });
    expect(problems).toEqual([`${file}:2: port="x": must be a whole number from 0 to 65535`]);
    write('[relay');
    expect(describeRelay()).toMatchObject({ problems: [expect.stringContaining(`${file}:1: `)] });
  });

  it('ferry.toml with a secret that every user of the computer can read is warned of', () => {
    write('[relay]', 'database_url = "postgres://u:p@db"');
    const warning = () => exposedSecrets(table, readSettingsFile(env, 'relay'));
    expect(warning()).toBeUndefined();
    chmodSync(file, 0o644);
    expect(warning()).toBe(`every user of this computer can read ${file}, which has database_url: chmod o= ${file}`);
    write('[relay]', 'port = 1');
    expect(warning()).toBeUndefined();
  });
});
