/** `ferry node`, as the computer itself tells it: joining, its state, what stands in its way, and the service that it is. */
import { access, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshDatabase } from '../support/db/fresh-database.js';
import { shapeProblems } from '../support/cli/shape-problems.js';
import { ferryHere } from '../support/process/ferry-here.js';
import { ferry, type CommandResult } from '../support/process/ferry-process.js';
import type { RelayClient } from '../support/process/relay-client.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import { TestNode } from '../support/process/test-node.js';

const shaped = (words: string, { stdout }: CommandResult): Record<string, unknown> => {
  const document = JSON.parse(stdout) as Record<string, unknown>;
  expect(shapeProblems(words, document)).toEqual([]);
  return document;
};

describe('ferry node', () => {
  let relay: RelayClient;
  let node: TestNode;
  let folder: string;

  shareRelay((tenant) => (relay = tenant));

  beforeAll(async () => {
    node = await TestNode.start(relay, { name: 'desk' });
    folder = await mkdtemp(path.join(tmpdir(), 'ferry-this-computer-'));
  }, 90_000);

  afterAll(async () => {
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  }, 30_000);

  it('joins, and prints its name', async () => {
    const { join_token: token } = await relay.manage<{ join_token: string }>('POST', '/join-tokens', {});
    const env = { FERRY_DATA_DIR: path.join(folder, 'second'), FERRY_CONFIG_DIR: path.join(folder, 'config') };
    const joined = await ferry(['node', 'join', token, '--relay', relay.baseUrl, '--name', 'shelf', '--json'], env);
    expect(shaped('node join', joined)).toMatchObject({ name: 'shelf', relay_url: relay.baseUrl });
  }, 60_000);

  it('reports its state and its problems', async () => {
    const status = await ferryHere(['node', 'status', '--json'], node.env);
    expect(shaped('node status', status)).toMatchObject({ node_name: 'desk', connected: true, pid: node.process.pid });
    const diagnosis = await ferryHere(['node', 'doctor', '--json'], node.env);
    const { checks } = shaped('node doctor', diagnosis) as { checks: { check: string }[] };
    expect(checks.length).toBeGreaterThan(3);
  }, 60_000);

  it('reports missing parts and a revoked node as failures', async () => {
    const env = { FERRY_DATA_DIR: path.join(folder, 'third'), FERRY_CONFIG_DIR: path.join(folder, 'config') };
    const { join_token: token } = await relay.manage<{ join_token: string }>('POST', '/join-tokens', {});
    const joined = await ferryHere(['node', 'join', token, '--relay', relay.baseUrl, '--name', 'attic'], env);
    const doctor = async (): Promise<{ code: CommandResult['code']; found: string[] }> => {
      const { code, stdout } = await ferryHere(['node', 'doctor', '--json'], env);
      const { checks } = JSON.parse(stdout) as { checks: { check: string; verdict: string; summary: string }[] };
      return { code, found: checks.map(({ check, verdict, summary }) => `${check} ${verdict}: ${summary}`) };
    };
    const healthy = await doctor();
    expect(healthy.code).toBe(0);
    expect(healthy.found).toContain('relay_link ok: the relay accepts this node');

    const models = path.join(folder, 'broken-models');
    await mkdir(models);
    await writeFile(path.join(models, 'noise.gguf'), 'this is not a model');
    const entries = [
      { kind: 'llamacpp', models_directory: models, load: ['qwen3'] },
      { kind: 'llamacpp', name: 'second', models_directory: path.join(folder, 'away') },
    ];
    await writeFile(path.join(folder, 'third/node/engines.json'), JSON.stringify({ engines: entries }));
    await relay.manage('DELETE', `/nodes/${joined.stdout.trim()}`);
    const broken = await doctor();
    expect(broken.code).toBe(1);
    for (const expected of [
      /^relay_link fail: the relay does not accept this node \(40[13]\)/,
      /^engine_files fail: .*noise\.gguf is not a readable GGUF file/,
      /^engine_files fail: "load" names qwen3/,
      /^engine_files fail: the models folder .*away does not exist/,
    ]) {
      expect(broken.found).toContainEqual(expect.stringMatching(expected));
    }
  }, 90_000);

  it('shows missing files of its engines in its state', async () => {
    const file = path.join(folder, 'engines.json');
    await writeFile(file, JSON.stringify({ engines: [{ kind: 'llamacpp', load: ['qwen3'] }] }));
    const status = await ferryHere(['node', 'status'], { ...node.env, FERRY_NODE_ENGINES_FILE: file });
    expect(status.stdout).toMatch(/^Problem {2}"load" names qwen3/m);
    const { problems } = shaped('node status', await ferryHere(['node', 'status', '--json'], node.env));
    expect(problems).toEqual([]);
  }, 60_000);

  describe('service', () => {
    let env: Record<string, string>;
    let shelf: Record<string, string>;

    /** A fake systemd, because test machines have none. It runs the command of a unit with its environment, and records the calls. */
    beforeAll(async () => {
      const bin = path.join(folder, 'bin');
      await mkdir(bin, { recursive: true });
      const programs = { systemctl, journalctl: `#!/bin/sh\necho "journalctl $*" >> '${folder}/calls'\n` };
      for (const [name, text] of Object.entries(programs)) {
        await writeFile(path.join(bin, name), text.replaceAll('FOLDER', folder));
        await chmod(path.join(bin, name), 0o755);
      }
      env = {
        PATH: `${bin}:${process.env['PATH'] ?? ''}`,
        FERRY_DISCOVERY: 'off',
        XDG_CONFIG_HOME: path.join(folder, 'xdg'),
        FERRY_CONFIG_DIR: path.join(folder, 'config'),
        FERRY_TOKEN: 'ferry-cli-secret',
      };
      shelf = { ...env, FERRY_DATA_DIR: path.join(folder, 'second'), FERRY_NODE_NAME: 'shelf' };
    });

    const calls = async (): Promise<string[]> => {
      const text = await readFile(path.join(folder, 'calls'), 'utf8').catch(() => '');
      await rm(path.join(folder, 'calls'), { force: true });
      return text.trim().split('\n');
    };

    it('service is installed, inspected, logged and removed', async () => {
      const none = await ferry(['node', 'service', 'status'], shelf);
      expect([none.code, none.stderr]).toEqual([5, expect.stringContaining('ferry node service install')]);

      const installed = shaped('node service install', await ferry(['node', 'service', 'install', '--json'], shelf));
      const unit = await readFile(String(installed['file']), 'utf8');
      expect(unit).toContain(`Environment="FERRY_DATA_DIR=${path.join(folder, 'second')}"`);
      expect(unit).not.toContain('ferry-cli-secret');
      expect((await calls()).filter((line) => !line.includes('is-active'))).toEqual([
        'systemctl --user daemon-reload',
        'systemctl --user enable ferry-node.service',
        'systemctl --user restart ferry-node.service',
      ]);
      const running = await ferry(['node', 'service', 'status', '--json'], shelf);
      expect([running.code, shaped('node service status', running)]).toMatchObject([0, { running: true }]);
      const again = await ferry(['service', 'install', 'node'], shelf);
      expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('runs as a service')]);
      await calls();
      expect((await ferry(['node', 'service', 'logs', '--lines', '7'], shelf)).code).toBe(0);
      expect(await calls()).toEqual(['journalctl --user --unit ferry-node.service --lines 7 --no-pager']);

      shaped('node service uninstall', await ferry(['node', 'service', 'uninstall', '--json'], shelf));
      expect(await calls()).toEqual([
        'systemctl --user disable --now ferry-node.service',
        'systemctl --user daemon-reload',
        'systemctl --user reset-failed ferry-node.service',
      ]);
      await expect(readFile(String(installed['file']))).rejects.toThrow('ENOENT');
    }, 90_000);

    it('runs relay and node, and a second `ferry up` shows them', async () => {
      const home = { ...env, FERRY_DATA_DIR: path.join(folder, 'up'), FERRY_TOKEN: '' };
      await freshDatabase(home.FERRY_DATA_DIR, 'embedded');
      const installed = await ferry(['service', 'install', '--port', '0', '--json'], home);
      expect(shaped('service install', installed)).toMatchObject({ service: 'up', scope: 'user' });
      try {
        const status = await ferry(['service', 'status', '--json'], home);
        const { data } = JSON.parse(status.stdout) as { data: readonly object[] };
        expect([status.code, data]).toMatchObject([0, [{ service: 'up', running: true }]]);
        for (const row of data) expect(shapeProblems('service status', row)).toEqual([]);
        const shown = await ferry(['up'], home);
        expect(shown.code).toBe(0);
        expect(shown.stdout).toContain('Ferry is running already');
        expect(shown.stdout).toContain('It is a service: ferry service status.');
        const key = /sk-ferry-\w+/.exec(shown.stdout)?.[0] ?? 'no key';
        expect(await readFile(path.join(folder, 'journal'), 'utf8')).not.toContain(key);
      } finally {
        shaped('service uninstall', await ferry(['service', 'uninstall', '--json'], home));
      }
      expect((await ferry(['service', 'status'], home)).code).toBe(5);
    }, 90_000);

    it('leaves nothing behind when it cannot be installed', async () => {
      const running = await ferry(['service', 'install', 'node'], { ...node.env, ...env });
      expect(running.stderr).toMatch(/^error: The node runs already on .* \(process \d+\)\n {2}try: /);
      const notJoined = await ferry(['service', 'install', 'node'], {
        ...env,
        FERRY_DATA_DIR: path.join(folder, 'no'),
      });
      expect(notJoined.stderr).toContain('has not joined');

      await rm(path.join(folder, 'xdg'), { recursive: true, force: true });
      const port = new URL(relay.baseUrl).port;
      const serve = { ...env, FERRY_DATA_DIR: path.join(folder, 'serve') };
      const taken = await ferry(['service', 'install', 'serve', '--port', port], serve);
      expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining(port)]);
      const wrong = { ...serve, FERRY_MAX_CONNECTIONS: 'many' };
      const misconfigured = await ferry(['service', 'install', 'serve', '--port', '0'], wrong);
      expect([misconfigured.code, misconfigured.stderr]).toEqual([
        2,
        expect.stringContaining('FERRY_MAX_CONNECTIONS="many"'),
      ]);
      const unreachable = {
        DATABASE_URL: 'postgres://127.0.0.1:1/ferry',
        FERRY_SECRET: 'a secret of the test suite, long enough',
      };
      const ended = await ferry(['service', 'install', 'serve', '--port', '0'], { ...serve, ...unreachable });
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(/ended as soon.*\n {2}try: ferry serve/)]);
      await writeFile(path.join(folder, 'refuse'), '');
      const refused = await ferry(['service', 'install', 'node'], shelf);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/Failed to connect to bus\n {2}try: /)]);
      await expect(access(path.join(folder, 'xdg'))).rejects.toThrow('ENOENT');
    }, 90_000);

    it('service is uninstalled with what Ferry put on this computer, and with its data when asked', async () => {
      await rm(path.join(folder, 'refuse'), { force: true });
      const home = path.join(folder, 'home');
      const data = path.join(folder, 'second');
      const own = { ...shelf, HOME: home, FERRY_CONFIG_DIR: path.join(home, 'config') };
      const agent = path.join(home, '.local/share/ferry/agent');
      const launcher = path.join(home, '.local/bin/ferry-node');
      await mkdir(agent, { recursive: true });
      await mkdir(path.dirname(launcher), { recursive: true });
      await writeFile(launcher, '#!/bin/sh\n# Made by the installer of Ferry.\n');
      await mkdir(path.join(home, 'config/connections'), { recursive: true });
      await writeFile(path.join(home, 'config/credentials.json'), '{}');
      await writeFile(path.join(data, 'a file of somebody else'), '');
      expect((await ferry(['node', 'service', 'install'], own)).code).toBe(0);

      const asked = await ferry(['uninstall'], own);
      expect([asked.code, asked.stderr]).toEqual([
        2,
        expect.stringMatching(/Will be removed[^]*ferry-node\.service[^]*--yes/),
      ]);
      await access(launcher);

      await writeFile(path.join(home, 'config/connections/codex.json'), '{}');
      const connected = await ferry(['uninstall', '--yes'], own);
      expect([connected.code, connected.stderr]).toEqual([1, expect.stringContaining('ferry connect codex --undo')]);
      await rm(path.join(home, 'config/connections/codex.json'));

      const removed = shaped('uninstall', await ferry(['uninstall', '--yes', '--json'], own));
      expect(removed['removed']).toEqual(
        expect.arrayContaining([launcher, agent, path.join(home, 'config/credentials.json')]),
      );
      expect(removed['kept']).toEqual([path.join(data, 'node')]);
      expect((await ferry(['node', 'service', 'status'], own)).code).toBe(5);
      for (const file of [launcher, agent, path.join(home, 'config')])
        await expect(access(file)).rejects.toThrow('ENOENT');
      await access(path.join(data, 'node', 'identity.json'));

      const all = shaped('node uninstall', await ferry(['node', 'uninstall', '--data', '--yes', '--json'], own));
      expect(all['removed']).toEqual([path.join(data, 'node')]);
      await expect(access(path.join(data, 'node'))).rejects.toThrow('ENOENT');
      // A folder that others use, too, keeps what is theirs.
      await access(path.join(data, 'a file of somebody else'));
      const running = await ferry(['uninstall', '--data', '--yes'], { ...node.env, ...env, XDG_CONFIG_HOME: home });
      expect([running.code, running.stderr]).toEqual([1, expect.stringMatching(/runs on .*\n {2}try: stop it first/)]);
    }, 90_000);
  });
});

const systemctl = `#!/bin/sh
echo "systemctl $*" >> 'FOLDER/calls'
for unit; do :; done
pid=$(cat "FOLDER/$unit.pid" 2>/dev/null)
active() { test -n "$pid" && kill -0 "$pid" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$pid/status"; }
stop() { ! active || kill "$pid"; for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do active || return 0; sleep 0.5; done; }
case "$*" in
  *restart*)
    if test -e 'FOLDER/refuse'; then echo 'Failed to connect to bus' >&2; exit 1; fi
    stop
    file="$XDG_CONFIG_HOME/systemd/user/$unit"
    out='FOLDER/journal'
    ! grep -q '^StandardOutput=null' "$file" || out=/dev/null
    (
      eval "export $(sed -n 's/^Environment=//p' "$file" | tr '\\n' ' ')"
      eval "exec $(sed -n 's/^ExecStart=//p' "$file")"
    ) >>"$out" 2>>'FOLDER/journal' </dev/null &
    echo $! > "FOLDER/$unit.pid"
    ;;
  *is-active*) active ;;
  *disable*) stop ;;
esac
`;
