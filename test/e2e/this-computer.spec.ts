/** `ferry node` on the computer itself: joining, state, problems, and the service. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shapeProblems } from '../support/cli/shape-problems.js';
import { ferry, type CommandResult } from '../support/process/ferry-process.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

const shaped = (words: string, { stdout }: CommandResult): Record<string, unknown> => {
  const document = JSON.parse(stdout) as Record<string, unknown>;
  expect(shapeProblems(words, document)).toEqual([]);
  return document;
};

describe('ferry node', () => {
  let relay: TestRelay;
  let node: TestNode;
  let folder: string;

  beforeAll(async () => {
    relay = await TestRelay.start();
    node = await TestNode.start(relay, { name: 'desk' });
    folder = await mkdtemp(path.join(tmpdir(), 'ferry-this-computer-'));
  }, 90_000);

  afterAll(async () => {
    await node.stop();
    await relay.stop();
    await rm(folder, { recursive: true, force: true });
  }, 30_000);

  it('joins, and prints its name', async () => {
    const { join_token: token } = await relay.manage<{ join_token: string }>('POST', '/join-tokens', {});
    const env = { FERRY_DATA_DIR: path.join(folder, 'second'), FERRY_CONFIG_DIR: path.join(folder, 'config') };
    const joined = await ferry(['node', 'join', token, '--relay', relay.baseUrl, '--name', 'shelf', '--json'], env);
    expect(shaped('node join', joined)).toMatchObject({ name: 'shelf', relay_url: relay.baseUrl });
  }, 60_000);

  it('reports its state and its problems', async () => {
    const status = await ferry(['node', 'status', '--json'], node.env);
    expect(shaped('node status', status)).toMatchObject({ node_name: 'desk', connected: true, pid: node.process.pid });
    const diagnosis = await ferry(['node', 'doctor', '--json'], node.env);
    const { checks } = shaped('node doctor', diagnosis) as { checks: { check: string }[] };
    expect(checks.length).toBeGreaterThan(3);
  }, 60_000);

  it('reports missing parts and a revoked node as failures', async () => {
    const env = { FERRY_DATA_DIR: path.join(folder, 'third'), FERRY_CONFIG_DIR: path.join(folder, 'config') };
    const { join_token: token } = await relay.manage<{ join_token: string }>('POST', '/join-tokens', {});
    const joined = await ferry(['node', 'join', token, '--relay', relay.baseUrl, '--name', 'attic'], env);
    const doctor = async (): Promise<{ code: CommandResult['code']; found: string[] }> => {
      const { code, stdout } = await ferry(['node', 'doctor', '--json'], env);
      const { checks } = JSON.parse(stdout) as { checks: { check: string; verdict: string; summary: string }[] };
      return { code, found: checks.map(({ check, verdict, summary }) => `${check} ${verdict}: ${summary}`) };
    };
    const healthy = await doctor();
    expect(healthy.code).toBe(0);
    expect(healthy.found).toContain('relay_link ok: the relay lets this node in');

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
      /^relay_link fail: the relay does not let this node in \(40[13]\)/,
      /^engine_files fail: .*noise\.gguf is not a GGUF file/,
      /^engine_files fail: "load" names qwen3/,
      /^engine_files fail: the models folder .*away does not exist/,
    ]) {
      expect(broken.found).toContainEqual(expect.stringMatching(expected));
    }
  }, 90_000);

  it('shows missing files of its engines in its state', async () => {
    const file = path.join(folder, 'engines.json');
    await writeFile(file, JSON.stringify({ engines: [{ kind: 'llamacpp', load: ['qwen3'] }] }));
    const status = await ferry(['node', 'status'], { ...node.env, FERRY_NODE_ENGINES_FILE: file });
    expect(status.stdout).toMatch(/^Problem {2}"load" names qwen3/m);
    const { problems } = shaped('node status', await ferry(['node', 'status', '--json'], node.env));
    expect(problems).toEqual([]);
  }, 60_000);

  describe('service', () => {
    /** A fake systemctl, because tests run without systemd. It records its arguments and prints the content of the file `active`. */
    async function withSystemd(): Promise<{ env: Record<string, string>; told: () => Promise<string[]> }> {
      const bin = path.join(folder, 'bin');
      await mkdir(bin, { recursive: true });
      for (const program of ['systemctl', 'journalctl']) {
        const file = path.join(bin, program);
        await writeFile(
          file,
          `#!/bin/sh\necho "${program} $*" >> '${folder}/told'\ncase "$*" in *is-active*) test -e '${folder}/active';; esac\n`,
        );
        await chmod(file, 0o755);
      }
      const env = {
        ...node.env,
        PATH: `${bin}:${process.env['PATH'] ?? ''}`,
        XDG_CONFIG_HOME: path.join(folder, 'xdg'),
        FERRY_NODE_NAME: 'desk',
        FERRY_TOKEN: 'ferry-cli-secret',
      };
      const told = async (): Promise<string[]> => {
        const text = await readFile(path.join(folder, 'told'), 'utf8').catch(() => '');
        await rm(path.join(folder, 'told'), { force: true });
        return text.trim().split('\n');
      };
      return { env, told };
    }

    it('is installed, inspected, logged and removed', async () => {
      const { env, told } = await withSystemd();
      const none = await ferry(['node', 'service', 'status'], env);
      expect([none.code, none.stderr]).toEqual([5, expect.stringContaining('ferry node service install')]);

      const installed = shaped('node service install', await ferry(['node', 'service', 'install', '--json'], env));
      const unit = await readFile(String(installed['file']), 'utf8');
      expect(unit).toContain(`Environment="FERRY_DATA_DIR=${node.dataDirectory}"`);
      expect(unit).not.toContain('ferry-cli-secret');
      expect(await told()).toEqual([
        'systemctl --user daemon-reload',
        'systemctl --user enable ferry-node.service',
        'systemctl --user restart ferry-node.service',
      ]);
      // The unit starts the node; its command line is also valid for a shell.
      const [, command = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
      const { stdout } = await promisify(execFile)('sh', ['-c', `${command} --help`]);
      expect(stdout).toContain('run the node until stopped');

      const stopped = await ferry(['node', 'service', 'status', '--json'], env);
      expect([stopped.code, shaped('node service status', stopped)]).toMatchObject([1, { running: false }]);
      await writeFile(path.join(folder, 'active'), '');
      const running = await ferry(['node', 'service', 'status', '--json'], env);
      expect([running.code, shaped('node service status', running)]).toMatchObject([0, { running: true }]);
      await told();
      expect((await ferry(['node', 'service', 'logs', '--lines', '7'], env)).code).toBe(0);
      expect(await told()).toEqual(['journalctl --user --unit ferry-node.service --lines 7 --no-pager']);

      shaped('node service uninstall', await ferry(['node', 'service', 'uninstall', '--json'], env));
      expect(await told()).toEqual([
        'systemctl --user disable --now ferry-node.service',
        'systemctl --user daemon-reload',
        'systemctl --user reset-failed ferry-node.service',
      ]);
      await expect(readFile(String(installed['file']))).rejects.toThrow('ENOENT');
    }, 90_000);
  });
});
