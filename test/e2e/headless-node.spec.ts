/** A computer without a browser: it shows a code, which is approved elsewhere, and then serves its first request. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { ferryHere } from '../support/process/ferry-here.js';
import { FerryProcess, type CommandResult } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';

describe('a headless computer', () => {
  let relay: Tenant;
  const folders: string[] = [];
  const running: FerryProcess[] = [];

  shareRelay((shared) => (relay = shared));

  afterAll(async () => {
    for (const process of running) if (process.running) await process.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const manage = (...words: string[]): Promise<CommandResult> => ferryHere(words, relay.commandEnv);

  /** Simulates a separate computer, which knows only the address of the relay. */
  async function asksWithCode(name: string) {
    const folder = await mkdtemp(path.join(tmpdir(), 'ferry-headless-'));
    folders.push(folder);
    const env = { FERRY_DATA_DIR: folder, FERRY_CONFIG_DIR: path.join(folder, 'config') };
    const join = FerryProcess.start(['node', 'join', '--device-code', '--relay', relay.baseUrl, '--name', name], env);
    running.push(join);
    const [, code = '', fingerprint = ''] = await eventually(
      'the code and the fingerprint are shown',
      () => /Code:\s+(\S+)[^]*Fingerprint:\s+(.+)\n/.exec(join.stderr) ?? undefined,
      20_000,
    );
    return { env, join, code, fingerprint };
  }

  it('serves requests after approval of its code and confirmation of its fingerprint', async () => {
    const { env, join, code, fingerprint } = await asksWithCode('attic');
    const approved = await manage('nodes', 'approve', code, '--yes', '--json');
    expect(approved.code).toBe(0);
    expect(approved.stderr).toContain(fingerprint);
    const { node_id: id } = JSON.parse(approved.stdout) as { node_id: string };

    // Approved but not confirmed: whoever was tricked into approving a code has admitted nobody yet.
    const listed = await manage('nodes', 'show', id, '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({ state: 'pending', online: false });
    const wrong = await manage('nodes', 'confirm', id, fingerprint.split('-').reverse().join('-'));
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(join.running).toBe(true);

    expect((await manage('nodes', 'confirm', id, ...fingerprint.split('-'))).code).toBe(0);
    expect([await join.exited, join.stdout]).toEqual([0, `${id}\n`]);

    const node = FerryProcess.start(['node', 'run'], env);
    running.push(node);
    const response = await eventually(
      'its first response',
      async () => {
        const response = await relay.chat({
          model: 'tiny',
          max_tokens: 4,
          messages: [{ role: 'user', content: 'Hi' }],
        });
        return response.ok ? ((await response.json()) as { usage: { completion_tokens: number } }) : undefined;
      },
      30_000,
    );
    expect(response.usage.completion_tokens).toBeGreaterThan(0);
    const trail = await manage('audit', '--object', id, '--json');
    const actions = (JSON.parse(trail.stdout) as { data: { action: string }[] }).data.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['node.approve', 'node.confirm']));
  }, 120_000);

  it('a headless computer is refused with an unknown or used code', async () => {
    expect((await manage('nodes', 'approve', 'BBBB-BBBB', '--yes')).code).not.toBe(0);
    const { join, code } = await asksWithCode('cellar');
    expect((await manage('nodes', 'approve', code, '--yes')).code).toBe(0);
    expect((await manage('nodes', 'approve', code, '--yes')).code).not.toBe(0);
    await join.stop('SIGINT');
  }, 60_000);
});
