/** The agent as a single file: its contents and its reproducible build. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { builtinModules } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleAgent, writeAgentBundle } from '../../scripts/bundle-agent.mjs';

const builtin = new Set(builtinModules);
const root = path.resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ferry-bundle-'));
  await writeAgentBundle(path.join(folder, 'first'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const ferryNode = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, [path.join(folder, 'first', 'ferry-node.mjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, FERRY_DATA_DIR: path.join(folder, 'data'), NO_COLOR: '1', ...env },
  });

describe('the agent in one file', () => {
  it('contains the agent and its commands, and no server code', async () => {
    const { inputs } = await bundleAgent();
    expect(inputs).toEqual(expect.arrayContaining(['src/agent/agent.ts', 'src/cli/commands/node/join-relay.ts']));
    expect(inputs.filter((file) => /@nestjs|typeorm|node_modules\/pg\/|pglite|express|src\/relay/.test(file))).toEqual(
      [],
    );
  });

  it('needs only Node, without packages', () => {
    const code = readFileSync(path.join(folder, 'first', 'ferry-node.mjs'), 'utf8');
    const imported = [...code.matchAll(/^import .*? from "([^"]+)";$/gm)].map(([, name]) => name!);
    expect(imported.length).toBeGreaterThan(5);
    expect(imported.filter((name) => !name.startsWith('node:') && !builtin.has(name))).toEqual([]);
  });

  it('the agent in one file is reproducible byte for byte', async () => {
    await writeAgentBundle(path.join(folder, 'second'));
    for (const name of readdirSync(path.join(folder, 'first'))) {
      const [one, two] = ['first', 'second'].map((made) => readFileSync(path.join(folder, made, name)));
      expect([name, two!.equals(one!)]).toEqual([name, true]);
    }
  });

  it('the agent in one file is described by its manifest', () => {
    const code = readFileSync(path.join(folder, 'first', 'ferry-node.mjs'));
    const engine = readFileSync(path.join(folder, 'first', 'engine.tgz'));
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(JSON.parse(readFileSync(path.join(folder, 'first', 'version.json'), 'utf8'))).toEqual({
      version,
      sha256: digest(code),
      size: code.length,
      engine: { sha256: digest(engine), size: engine.length },
    });
    expect(readFileSync(path.join(folder, 'first', 'ferry-node.mjs.sha256'), 'utf8')).toBe(
      `${digest(code)}  ferry-node.mjs\n`,
    );
  });

  it('keeps the licences of the packages inside', () => {
    const code = readFileSync(path.join(folder, 'first', 'ferry-node.mjs'), 'utf8');
    expect(code).toMatch(/^\/\/ undici \d+\.\d+\.\d+ \(MIT\)$/m);
    expect(code).toContain('// Permission is hereby granted, free of charge');
  });

  it('knows its version without a package.json', () => {
    expect(ferryNode(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
  });

  it('calls its commands by its own name', () => {
    const { status, stderr } = ferryNode(['run']);
    expect(status).toBe(4);
    expect(stderr).toContain('here: ferry-node join <token>');
  });

  it('refuses a relay on another computer without TLS, unless forced', () => {
    const token = `ferry-join-${'a'.repeat(61)}`;
    const refused = ferryNode(['join', token, '--relay', 'http://relay.test:8787']);
    expect(refused).toMatchObject({ status: 2 });
    expect(refused.stderr).toContain('--force-insecure');
  });
});
