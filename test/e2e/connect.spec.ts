/** `ferry connect` in a new home directory, against a real relay and node. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { shapeProblems } from '../support/cli/shape-problems.js';
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

  const connect = (...words: string[]): Promise<CommandResult> =>
    ferry(['connect', ...words], {
      ...relay.commandEnv,
      HOME: home,
      XDG_CONFIG_HOME: undefined,
      CODEX_HOME: undefined,
      CLAUDE_CONFIG_DIR: undefined,
      ANTHROPIC_API_KEY: undefined,
    });
  const keys = async (): Promise<readonly KeyRecord[]> =>
    (await relay.manage<{ data: KeyRecord[] }>('GET', '/keys')).data;
  const inHome = (...names: string[]): Promise<string> => readFile(path.join(home, ...names), 'utf8');

  it('with --print only prints, with a placeholder instead of a key', async () => {
    const before = await keys();
    for (const program of ['codex', 'claude', 'opencode', 'cursor', 'openwebui', 'continue']) {
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
    const first = await connect('codex', '--yes', '--json');
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
      limits: { requests_per_minute: 60 },
    });
    expect(first.stderr + first.stdout).not.toContain(key);

    const count = (await keys()).length;
    const second = await connect('codex', '--yes');
    expect(second.stderr).toContain('set up already');
    expect(second.stderr).toMatch(/✓ test request: .* on studio/);
    expect(second.stdout.trim()).toBe('codex -c model_provider=ferry -m tiny');
    expect(await inHome('.codex/config.toml')).toBe(written);
    expect((await keys()).length).toBe(count);
  }, 90_000);

  it('replaces the key of this computer when the file has lost it', async () => {
    await connect('claude', '--yes');
    const [before] = (await keys()).filter(({ name }) => name === 'claude');
    await rm(path.join(home, '.claude'), { recursive: true });
    const again = await connect('claude', '--yes', '--json');
    expect({ code: again.code }).toEqual({ code: 0 });
    expect((JSON.parse(again.stdout) as { key_id: string }).key_id).not.toBe(before?.key_id);
    const settings = JSON.parse(await inHome('.claude/ferry.json')) as { env: Record<string, string> };
    expect(settings.env).toMatchObject({ ANTHROPIC_BASE_URL: relay.baseUrl, ANTHROPIC_MODEL: 'tiny' });
  }, 90_000);

  it.each([
    ['codex', '.codex/config.toml', 'model = "a'],
    ['claude', '.claude/ferry.json', '{ "env": '],
    ['continue', '.continue/config.yaml', 'models: ['],
  ])('does not change a broken file of %s, and creates no key', async (program, file, text) => {
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
