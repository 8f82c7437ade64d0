/** What `ferry node status` reads of the local node, without a relay. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../../test/support/cli/command-line.js';
import { acquireInstanceLock } from '../kernel/instance-lock.js';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line.stop());

const ferry = (words: string, env?: Record<string, string>) => line.ferry(words, env);

describe('ferry node status', () => {
  const status = {
    pid: 4_711,
    node_id: 'nd_1',
    node_name: 'desk',
    relay_url: 'http://127.0.0.1:8787',
    connected: true,
    since: '2025-11-20T12:00:00.000Z',
    draining: false,
    engines: [{ name: 'llamacpp', kind: 'llamacpp', version: null }],
    models: [{ key: 'llamacpp/tiny', display_name: 'tiny', state: 'loaded' }],
    slots: [{ name: 'llamacpp', slots_total: 4, slots_used: 1, queue_depth: 0 }],
  };

  it('shows the state of the local node, complete with --json', async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-status-'));
    // Names an engine, so that it makes no difference whether the built-in one is installed here.
    await mkdir(path.join(directory, 'node'), { recursive: true });
    const engines = [{ kind: 'openai-compatible', name: 'gpu', base_url: 'http://127.0.0.1:1' }];
    await writeFile(path.join(directory, 'node', 'engines.json'), JSON.stringify({ engines }));
    const lock = await acquireInstanceLock(path.join(directory, 'node'), 'node', () => status);
    try {
      const json = await ferry(`node status --json --data-dir ${directory}`);
      expect(JSON.parse(json.stdout)).toEqual({ ...status, problems: [] });
      const { stdout } = await ferry('node status', { FERRY_DATA_DIR: directory });
      expect(stdout).toMatch(/^Process +4711$/m);
      expect(stdout).toMatch(/^State +connected since 2025-11-\d\d \d\d:00$/m);
      expect(stdout).toMatch(/^Models +tiny \(loaded\)$/m);
      expect(stdout).toMatch(/^Slots +llamacpp 1 of 4 in use$/m);
    } finally {
      await lock.release();
      await rm(directory, { recursive: true });
    }
  });

  it('exits 5 with advice when no node runs', async () => {
    const directory = path.join(os.tmpdir(), 'ferry-no-such-directory');
    const { code, stdout, stderr } = await ferry(`node status --data-dir ${directory}`);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain('ferry up');
  });
});
