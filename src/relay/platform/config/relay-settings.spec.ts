import { describe, expect, it } from '@jest/globals';
import { SettingsError } from '../../../kernel/settings/settings-error.js';
import { describeRelaySettings } from '../../app/settings.js';
import { createRelayConfig } from './relay-config.js';
import { loadRelaySettings, relayDirectory } from './resolve-relay-config.js';
import { relaySettings } from './relay-settings.js';

/** A data directory without a settings file, wherever the tests run. */
const nowhere = { FERRY_DATA_DIR: '/nonexistent' };

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadRelaySettings({ ...nowhere, ...env });
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as SettingsError).problems;
  }
};

describe('the settings of the relay', () => {
  it('the settings of the relay have a default or are optional', () => {
    expect(loadRelaySettings(nowhere).values).toMatchObject({
      port: 8_787,
      bodyLimitBytes: 16_777_216,
      streamHeartbeatMs: 15_000,
    });
  });

  it('the settings of the relay have one environment variable each', () => {
    const names = Object.values(relaySettings).map(({ env }) => env);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^(FERRY_[A-Z_]+|DATABASE_URL|NATS_URL)$/);
  });

  it('carry their unit in their name when they are a size or a time', () => {
    for (const [name, { env, fallback }] of Object.entries(relaySettings)) {
      if (!/(Ms|Bytes|PerSecond|PerMinute)$/.test(name)) continue;
      expect(env).toMatch(/_(MS|BYTES|PER_SECOND|PER_MINUTE)$/);
      expect(fallback).toMatch(/^\d+$/);
    }
  });

  it('the settings of the relay report invalid and conflicting values together', () => {
    expect(problemsOf({ FERRY_PORT: 'x', FERRY_LOG_LEVEL: 'loud', DATABASE_URL: 'postgres://db/ferry' })).toEqual([
      expect.stringContaining('FERRY_PORT'),
      expect.stringContaining('FERRY_LOG_LEVEL'),
      expect.stringContaining('FERRY_SECRET'),
    ]);
  });

  it('require a secret with Postgres', () => {
    const secret = 'x'.repeat(32);
    expect(problemsOf({ DATABASE_URL: 'postgres://db/ferry' })).toEqual([
      expect.stringMatching(/^FERRY_SECRET: is required with DATABASE_URL/),
    ]);
    expect(problemsOf({ DATABASE_URL: 'postgres://db/ferry', FERRY_SECRET: secret })).toEqual([]);
  });

  it('the settings of the relay refuse a retention of 0, which would delete everything', () => {
    const names = Object.values(relaySettings)
      .map(({ env }) => env)
      .filter((env) => /_RETENTION_(DAYS|HOURS)$/.test(env))
      // 0: no samples are made.
      .filter((env) => env !== 'FERRY_HISTORY_RETENTION_DAYS');
    expect(names).toHaveLength(4);
    const problems = problemsOf(Object.fromEntries(names.map((name) => [name, '0'])));
    expect(problems).toEqual(names.map((name) => expect.stringMatching(`^${name}`)));
    expect(problemsOf(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([]);
  });

  it('require a shared database where relays are connected to each other', () => {
    const env = { NATS_URL: 'nats://user:hunter2@n' };
    expect(problemsOf(env)).toEqual([expect.stringMatching(/^DATABASE_URL: is required with NATS_URL/)]);
    expect(problemsOf(env).join()).not.toContain('hunter2');
    const shared = { ...env, DATABASE_URL: 'postgres://db/ferry', FERRY_SECRET: 'x'.repeat(32) };
    expect(problemsOf(shared)).toEqual([]);
    expect(problemsOf({ NATS_URL: '' })).toEqual([]);
  });

  it.each([
    ['2', ['DATABASE_URL: is required with FERRY_WORKERS, because only one process can open the embedded database']],
    ['auto', []],
    ['1', []],
  ])('FERRY_WORKERS=%s without Postgres has the problems %j', (workers, problems) => {
    expect(problemsOf({ FERRY_WORKERS: workers })).toEqual(problems);
  });

  it.each(['0', '65', '1.5', 'all'])('FERRY_WORKERS=%s is refused', (workers) => {
    const [problem] = problemsOf({
      FERRY_WORKERS: workers,
      DATABASE_URL: 'postgres://x@localhost/y',
      FERRY_SECRET: 'a'.repeat(40),
    });
    expect(problem).toMatch(/^FERRY_WORKERS="/);
  });

  it('refuses domains of an OpenID provider without the account that their people join', () => {
    expect(problemsOf({ FERRY_OIDC_EMAIL_DOMAINS: 'example.com' })).toEqual([
      expect.stringMatching(/^FERRY_OIDC_ACCOUNT: is required with FERRY_OIDC_EMAIL_DOMAINS/),
    ]);
    expect(problemsOf({ FERRY_OIDC_ACCOUNT: 'the first' })).toEqual([expect.stringContaining('FERRY_OIDC_ACCOUNT')]);
  });

  it.each(['10.0.0.0/', '10.0.0.0/x', '10.0.0.0/ 8', 'fd00::/'])('refuses the address range %s', (range) => {
    expect(problemsOf({ FERRY_TRUSTED_PROXIES: range })).toEqual([expect.stringContaining('FERRY_TRUSTED_PROXIES')]);
  });

  it('never repeat a secret in an error', () => {
    expect(problemsOf({ FERRY_SECRET: 'hunter2' }).join()).not.toContain('hunter2');
  });
});

describe('ferry config', () => {
  it('shows every setting with its effective value and where that came from', () => {
    const { settings, problems } = describeRelaySettings({ ...nowhere, FERRY_PORT: '9000', FERRY_HOST: '::1' });
    expect(problems).toEqual([]);
    expect(settings).toHaveLength(Object.keys(relaySettings).length);
    const find = (name: string) => settings.find((setting) => setting.name === name);
    expect(find('port')).toMatchObject({ env: 'FERRY_PORT', key: 'port', value: 9_000, source: 'environment' });
    expect(find('databaseUrl')).toMatchObject({ value: null, source: 'default', place: null });
    expect(settings.every(({ description }) => description.endsWith('.'))).toBe(true);
  });

  it('shows wrong values and conflicts instead of failing', () => {
    const { settings, problems } = describeRelaySettings({ ...nowhere, FERRY_PORT: 'x', NATS_URL: 'nats://n' });
    const port = settings.find(({ name }) => name === 'port');
    expect(port).toMatchObject({ value: null, problem: 'FERRY_PORT="x": must be a whole number from 0 to 65535' });
    expect(problems).toEqual([port?.problem, expect.stringContaining('DATABASE_URL: is required')]);
  });

  it('masks secrets', () => {
    const env = {
      ...nowhere,
      DATABASE_URL: 'postgres://user:0f-the-database@db/ferry',
      FERRY_SECRET: 'very secret '.repeat(4),
    };
    const text = JSON.stringify(describeRelaySettings(env));
    expect(text).not.toContain('0f-the-database');
    expect(text).not.toContain('very secret');
    expect(text).toContain('********');
  });
});

describe('the configuration of a running relay', () => {
  const configOf = (env: Record<string, string>) =>
    createRelayConfig({
      settings: loadRelaySettings({ ...nowhere, ...env }).values,
      dataDirectory: '/data/relay',
      version: '1.2.3',
      secret: 's',
    });

  it('gets its address on listen, and is otherwise frozen', () => {
    const { config, listensAt } = configOf({ FERRY_SERVICE_NAME: 'Ferry Two' });
    expect(config).toMatchObject({ serviceName: 'Ferry Two', ownedBy: 'ferry two', version: '1.2.3' });
    expect(() => config.baseUrl).toThrow('only after it listens');
    listensAt('http://127.0.0.1:4000');
    expect(config.baseUrl).toBe('http://127.0.0.1:4000');
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each(['https://relay.example', 'https://relay.example/', 'https://relay.example/v1', 'https://relay.example/v1/'])(
    'prefers the public address, however %s is written',
    (address) => {
      const { config, listensAt } = configOf({ FERRY_BASE_URL: address });
      listensAt('http://127.0.0.1:4000');
      expect(config.baseUrl).toBe('https://relay.example');
    },
  );

  it('keeps its files in a folder of its own', () => {
    expect(relayDirectory({ FERRY_DATA_DIR: '/data' })).toBe('/data/relay');
  });
});
