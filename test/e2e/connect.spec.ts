/** `ferry connect` in a new home directory, against a real relay and node. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectablePrograms } from '../../src/cli/commands/connect/program-names.js';
import { shapeProblems } from '../support/cli/shape-problems.js';
import { ferryHere } from '../support/process/ferry-here.js';
import { ferry, type CommandResult } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

interface KeyRecord {
  readonly key_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly limits: { readonly requests_per_minute: number | null };
}

interface Row {
  readonly program: string;
  readonly state: string;
  readonly problem: string | null;
}

interface NodeRecord {
  readonly models: readonly { readonly display_name: string; readonly context_length: number | null }[];
}

describe('ferry connect', () => {
  let relay: Tenant;
  let node: TestNode;
  let home: string;

  shareRelay((shared) => (relay = shared));

  beforeAll(async () => {
    node = await TestNode.start(relay, { name: 'studio' });
  }, 90_000);

  afterAll(async () => {
    await node.stop();
  }, 30_000);

  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'ferry-home-'));
  });

  afterEach(() => rm(home, { recursive: true, force: true }));

  const connect = (...words: string[]): Promise<CommandResult> => connectOn(relay.dataDirectory, ...words);
  /** @param dataDirectory of the computer */
  const connectOn = (dataDirectory: string, ...words: string[]): Promise<CommandResult> =>
    ferryHere(['connect', ...words], environmentOn(dataDirectory));
  const environmentOn = (dataDirectory: string): Record<string, string | undefined> => ({
    FERRY_DATA_DIR: dataDirectory,
    HOME: home,
    FERRY_CONFIG_DIR: path.join(home, 'ferry'),
    XDG_CONFIG_HOME: undefined,
    CODEX_HOME: undefined,
    QWEN_HOME: undefined,
    PI_CODING_AGENT_DIR: undefined,
    CLAUDE_CONFIG_DIR: undefined,
    ANTHROPIC_API_KEY: undefined,
  });
  const keys = async (): Promise<readonly KeyRecord[]> =>
    (await relay.manage<{ data: KeyRecord[] }>('GET', '/keys')).data;
  const contextOfTiny = async (): Promise<number> => {
    const { data } = await relay.manage<{ data: readonly NodeRecord[] }>('GET', '/nodes');
    const tiny = data.flatMap(({ models }) => models).find(({ display_name }) => display_name === 'tiny');
    return tiny?.context_length ?? 0;
  };
  const inHome = (...names: string[]): Promise<string> => readFile(path.join(home, ...names), 'utf8');

  it('ferry connect with --print only prints, with a placeholder instead of a key', async () => {
    const before = await keys();
    for (const program of connectablePrograms) {
      const { code, stdout, stderr } = await connect(program, '--print');
      expect({ program, code }).toEqual({ program, code: 0 });
      expect(stdout + stderr).toContain('sk-ferry-YOUR-KEY');
    }
    const { stdout } = await connect('codex', '--print', '--json');
    expect(shapeProblems('connect', JSON.parse(stdout))).toEqual([]);
    expect(await readdir(home)).toEqual([]);
    expect(await keys()).toEqual(before);
  }, 90_000);

  it('writes the file of Codex with a backup and a scoped key, tests it, and keeps both when repeated', async () => {
    await mkdir(path.join(home, '.codex'));
    await writeFile(path.join(home, '.codex/config.toml'), '# mine\nmodel = "gpt-5"\n');
    const first = await ferry(['connect', 'codex', '--yes', '--json'], environmentOn(relay.dataDirectory));
    expect({ code: first.code, stderr: first.code === 0 ? '' : first.stderr }).toEqual({ code: 0, stderr: '' });
    const result = JSON.parse(first.stdout) as { key_id: string; backup: string; test: object };
    expect(shapeProblems('connect', result)).toEqual([]);
    expect(result).toMatchObject({ changed: true, test: { node: 'studio' } });
    expect(await readFile(result.backup, 'utf8')).toBe('# mine\nmodel = "gpt-5"\n');
    const written = await inHome('.codex/config.toml');
    expect(written).toMatch(/^# mine\nmodel = "gpt-5"\n\n\[model_providers\.ferry\]\n/);
    const key = /experimental_bearer_token = "(sk-ferry-[^"]+)"/.exec(written)?.[1] ?? '';
    expect((await stat(path.join(home, '.codex/config.toml'))).mode & 0o777).toBe(0o600);
    expect((await keys()).find(({ key_id }) => key_id === result.key_id)).toMatchObject({
      name: 'codex',
      scopes: ['inference'],
      limits: { requests_per_minute: 600 },
    });
    expect(first.stderr + first.stdout).not.toContain(key);

    const count = (await keys()).length;
    const second = await connect('codex', '--yes');
    expect(second.stderr).toContain('set up already');
    expect(second.stderr).toMatch(/✓ test request: .* on studio/);
    expect(second.stdout.trim()).toBe(
      `codex -c model_provider=ferry -m tiny -c model_context_window=${String(await contextOfTiny())}`,
    );
    expect(await inHome('.codex/config.toml')).toBe(written);
    expect((await keys()).length).toBe(count);
  }, 90_000);

  it('tells Claude Code the window that is loaded, and keeps its key when its file is gone', async () => {
    expect((await connect('claude', '--yes')).code).toBe(0);
    const context = await contextOfTiny();
    const settings = async (): Promise<Record<string, string>> =>
      (JSON.parse(await inHome('.claude/ferry.json')) as { env: Record<string, string> }).env;
    const first = await settings();
    expect(first).toMatchObject({
      ANTHROPIC_BASE_URL: relay.baseUrl,
      ANTHROPIC_MODEL: 'tiny',
      ANTHROPIC_DEFAULT_SONNET_MODEL: 'tiny',
      ANTHROPIC_DEFAULT_OPUS_MODEL: 'tiny',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'tiny',
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(context),
      CLAUDE_CODE_TOTAL_TOKENS_REMINDER: 'off',
    });
    expect(Number(first['CLAUDE_CODE_MAX_OUTPUT_TOKENS'])).toBeLessThan(context);
    await rm(path.join(home, '.claude'), { recursive: true });
    const again = await connect('claude', '--yes');
    expect(again.stderr).toMatch(/Keeps its key "claude" \(600\/min\)/);
    expect(await settings()).toEqual(first);

    const other = await connect('claude', '--yes', '--default');
    expect(other.stderr).toContain('Keeps its key "claude"');
    expect(JSON.parse(await inHome('.claude/settings.json'))).toEqual({ env: first });
    const env = await ferry(['env', 'claude'], { ...relay.commandEnv, FERRY_API_KEY: 'sk-ferry-x' });
    expect(env.stdout).toContain(`export CLAUDE_CODE_MAX_CONTEXT_TOKENS='${String(context)}'\n`);
  }, 90_000);

  it('says that it revokes the key of this computer whose secret is lost, and does not touch that of another one', async () => {
    const before = JSON.parse((await connect('pi', '--yes', '--json')).stdout) as { key_id: string };
    for (const lost of ['.pi', 'ferry']) await rm(path.join(home, lost), { recursive: true });
    const again = await connect('pi', '--yes');
    expect(again.stderr).toContain(`Revokes key "pi" (${before.key_id}) of this computer`);
    const [now] = (await keys()).filter(({ name }) => name === 'pi');
    expect(now?.key_id).not.toBe(before.key_id);

    const elsewhere = await mkdtemp(path.join(tmpdir(), 'ferry-other-'));
    await cp(path.join(relay.dataDirectory, 'credentials.json'), path.join(elsewhere, 'credentials.json'));
    for (const lost of ['.pi', 'ferry']) await rm(path.join(home, lost), { recursive: true });
    const other = await connectOn(elsewhere, 'pi', '--yes');
    await rm(elsewhere, { recursive: true });
    expect(other.stderr).toContain('Makes a key "pi-2" (inference, 600/min)');
    expect((await keys()).filter(({ name }) => name.startsWith('pi')).map(({ key_id }) => key_id)).toContain(
      now?.key_id,
    );
  }, 90_000);

  it('lists what is connected, and says which file is out of date after a load with another context', async () => {
    expect((await connect()).stderr).toContain('nothing is connected yet');
    await connect('qwen', '--yes');
    await connect('codex', '--yes', '--default');
    const list = async (): Promise<readonly Row[]> => {
      const response = JSON.parse((await connect('--json')).stdout) as { data: readonly Row[] };
      expect(shapeProblems('connect', response)).toEqual([]);
      return response.data;
    };
    expect((await list()).map(({ program, state }) => [program, state])).toEqual([
      ['codex', 'current'],
      ['qwen', 'current'],
    ]);

    const context = await contextOfTiny();
    const load = (tokens: number): Promise<CommandResult> =>
      ferryHere(['models', 'load', 'tiny', '--context', String(tokens)], relay.commandEnv);
    expect((await load(32_768)).code).toBe(0);
    const rows = await list();
    expect(rows.map(({ state }) => state)).toEqual(['outdated', 'outdated']);
    expect(rows[0]?.problem?.replaceAll(/\s/g, ' ')).toBe('context is 32 768 now');
    const table = await connect();
    expect(table.stderr).toContain('ferry connect codex --default\n');

    const warned = await connect('codex', '--yes', '--default');
    expect(warned.stderr).toContain(
      `Out of date: it was told ${String(context)} tokens for tiny; 32768 are loaded now.`,
    );
    expect(warned.stderr).toContain('try: ferry models load tiny --context 65536');
    expect(await inHome('.codex/config.toml')).toContain('model_context_window = 32768\n');
    expect((await list()).map(({ state }) => state)).toEqual(['current', 'outdated']);
    expect((await load(context)).code).toBe(0);

    await rm(path.join(home, '.codex'), { recursive: true });
    const qwen = (await keys()).find(({ name }) => name === 'qwen');
    await relay.manage('DELETE', `/keys/${qwen?.key_id ?? ''}`);
    expect((await list()).map(({ program, state }) => [program, state])).toEqual([
      ['codex', 'file_missing'],
      ['qwen', 'key_refused'],
    ]);
    const alone = JSON.parse((await connect('--json', '--base-url', 'http://127.0.0.1:9', '--token', 'x')).stdout) as {
      data: readonly Row[];
    };
    expect(alone.data.map(({ state }) => state)).toEqual(['file_missing', 'unknown']);
  }, 120_000);

  it('ferry connect with --undo restores the file as it was, revokes the key, and says both', async () => {
    const mine = '# mine\nmodel = "gpt-5"\n';
    await mkdir(path.join(home, '.codex'));
    await writeFile(path.join(home, '.codex/config.toml'), mine);
    const { key_id } = JSON.parse((await connect('codex', '--yes', '--default', '--json')).stdout) as {
      key_id: string;
    };
    await connect('opencode', '--yes');

    const asked = await connect('--undo', 'codex');
    expect({ code: asked.code, hint: asked.stderr.includes('--yes') }).toEqual({ code: 2, hint: true });
    const undone = await connect('--undo', 'codex', '--yes', '--json');
    const response = JSON.parse(undone.stdout) as { key_revoked: boolean };
    expect(shapeProblems('connect', response)).toEqual([]);
    expect(response).toMatchObject({ key_id, key_revoked: true });
    expect(undone.stderr).toContain(`revoked key codex (${key_id})`);
    expect(await inHome('.codex/config.toml')).toBe(mine);
    expect((await keys()).filter((key) => key.key_id === key_id)).toEqual([]);

    expect((await connect('--undo', 'opencode', '--yes')).code).toBe(0);
    expect(await readdir(path.join(home, '.config/opencode'))).toEqual([]);
    await connect('codex', '--yes', '--default');
    const written = await inHome('.codex/config.toml');
    await writeFile(
      path.join(home, '.codex/config.toml'),
      written.replace('base_url = "', 'base_url = "https://mine/'),
    );
    const refused = await connect('--undo', 'codex', '--yes');
    expect({ code: refused.code, stderr: refused.stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was changed where ferry connect had changed it'),
    });
    await writeFile(path.join(home, '.codex/config.toml'), '# all taken out\n');
    expect((await connect('--undo', 'codex', '--yes')).stderr).toContain('✓ revoked key codex');
    expect(await inHome('.codex/config.toml')).toBe('# all taken out\n');

    const again = await connect('--undo', 'codex', '--yes');
    expect({ code: again.code, stderr: again.stderr }).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('not connected'),
    });
  }, 90_000);

  it('changes the limit of a key with --rpm, and keeps a key of the person without revoking it', async () => {
    const { key, key_id } = await relay.manage<{ key: string; key_id: string }>('POST', '/keys', { name: 'mine' });
    await mkdir(path.join(home, '.codex'));
    const file = `[model_providers.ferry]\nexperimental_bearer_token = "${key}"\n`;
    await writeFile(path.join(home, '.codex/config.toml'), file);
    const result = await connect('codex', '--yes', '--rpm', '30');
    expect(result.stderr).toContain('Keeps its key "mine" (30/min)');
    const record = async (): Promise<KeyRecord | undefined> => (await keys()).find((one) => one.key_id === key_id);
    expect((await record())?.limits.requests_per_minute).toBe(30);
    const undone = await connect('--undo', 'codex', '--yes');
    expect(undone.stderr).toContain(`Keeps its key (${key_id}), which was there before.`);
    expect(await record()).toBeDefined();
    expect(await inHome('.codex/config.toml')).toBe(file);
  }, 90_000);

  it.each([
    ['codex', '.codex/config.toml', 'model = "a'],
    ['claude', '.claude/ferry.json', '{ "env": '],
    ['continue', '.continue/config.yaml', 'models: ['],
  ])('ferry connect does not change a broken file of %s, and creates no key', async (program, file, text) => {
    const count = (await keys()).length;
    await mkdir(path.dirname(path.join(home, file)), { recursive: true });
    await writeFile(path.join(home, file), text);
    const { code, stderr } = await connect(program, '--yes');
    expect(code).toBe(1);
    expect(stderr).toMatch(/is not valid (TOML|JSON|YAML)/);
    expect(await inHome(file)).toBe(text);
    expect((await keys()).length).toBe(count);
  });

  it('creates nothing for a model that does not exist, or without a confirmation', async () => {
    const count = (await keys()).length;
    expect((await connect('opencode', '--yes', '-m', 'nothing')).code).toBe(5);
    const asked = await connect('opencode');
    expect({ code: asked.code, hint: asked.stderr.includes('--yes') }).toEqual({ code: 2, hint: true });
    expect(await readdir(home)).toEqual([]);
    expect((await keys()).length).toBe(count);
  }, 30_000);
});
