/** What `ferry uninstall` may delete: it must lose nothing that belongs to somebody else. */
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findInstalledParts } from './installed-parts.js';

let home: string;
let env: Record<string, string>;

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'ferry-parts-'));
  env = { HOME: home, FERRY_DATA_DIR: path.join(home, 'shared'), FERRY_CONFIG_DIR: path.join(home, 'config') };
});

afterEach(() => rm(home, { recursive: true, force: true }));

async function lay(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(path.dirname(path.join(home, file)), { recursive: true });
    await writeFile(path.join(home, file), '12345');
  }
}

const found = (below: string, files: readonly string[]): readonly string[] =>
  files.map((file) => path.relative(path.join(home, below), file)).sort();

describe('the parts of Ferry on a computer', () => {
  it('the parts of Ferry on a computer are by name in a data directory that somebody else uses, too', async () => {
    await lay('shared/relay/secret', 'shared/node/identity.json', 'shared/listen.json', 'shared/computer-id');
    await lay('shared/thesis.txt', 'shared/Documents/letter.txt', 'shared/relay.old/secret');
    const { data, dataBytes } = await findInstalledParts(env, 'all');
    expect(found('shared', data)).toEqual(['computer-id', 'listen.json', 'node', 'relay']);
    expect(dataBytes).toBe(20);
  });

  it('the parts of Ferry on a computer are not what somebody else has under the same name', async () => {
    await lay(
      'shared/computer-id',
      'shared/models/user.py',
      'shared/models/a.gguf',
      'shared/logs/apache.log',
      'shared/logs/up.log',
    );
    await lay('shared/node/index.js', 'shared/relay/index.js', 'shared/engine/main.cpp');
    expect(found('shared', (await findInstalledParts(env, 'all')).data)).toEqual(['computer-id']);
    await rm(path.join(home, 'shared/models/user.py'));
    await rm(path.join(home, 'shared/logs/apache.log'));
    await lay('shared/models/b.gguf.part', 'shared/models/b.gguf.part.json', 'shared/logs/relay.log.1');
    await lay('shared/logs/up-service.log', 'shared/relay/secret', 'shared/node/identity.json');
    expect(found('shared', (await findInstalledParts(env, 'all')).data)).toEqual([
      'computer-id',
      'logs',
      'models',
      'node',
      'relay',
    ]);
  });

  it('the parts of Ferry on a computer are links themselves and not what they lead to', async () => {
    await lay('elsewhere/a.gguf', 'shared/computer-id', 'shared/node/identity.json');
    await symlink(path.join(home, 'elsewhere'), path.join(home, 'shared/models'));
    await symlink(path.join(home, 'elsewhere'), path.join(home, 'shared/node/more'));
    const { data, dataBytes } = await findInstalledParts(env, 'all');
    expect([found('shared', data), dataBytes]).toEqual([['computer-id', 'models', 'node'], 10]);
    for (const file of data) await rm(file, { recursive: true, force: true });
    expect(await readdir(path.join(home, 'elsewhere'))).toEqual(['a.gguf']);
  });

  it('the parts of Ferry on a computer leave the models of a relay’s computer to it when only the node goes', async () => {
    await lay('shared/relay/secret', 'shared/node/identity.json', 'shared/models/a.gguf', 'shared/engine/llamacpp/x');
    expect(found('shared', (await findInstalledParts(env, 'node')).data)).toEqual(['node']);
    await rm(path.join(home, 'shared/relay'), { recursive: true });
    expect(found('shared', (await findInstalledParts(env, 'node')).data)).toEqual(['engine', 'models', 'node']);
  });

  it('the parts of Ferry on a computer are sign-ins and notes of connected programs, which are named', async () => {
    await lay(
      'config/credentials.json',
      'config/connections/codex.json',
      'config/shown-requests.json',
      'config/notes.txt',
    );
    const { config, connected } = await findInstalledParts(env, 'all');
    expect(found('config', config)).toEqual(['connections', 'credentials.json', 'shown-requests.json']);
    expect(connected).toEqual(['codex']);
    expect((await findInstalledParts(env, 'node')).config).toEqual([]);
  });

  it('the parts of Ferry on a computer have a launcher only where the installer of Ferry made it', async () => {
    await lay('.local/bin/ferry-node');
    expect((await findInstalledParts(env, 'all')).program).toEqual([]);
    await writeFile(path.join(home, '.local/bin/ferry-node'), '#!/bin/sh\n# Made by the installer of Ferry.\n');
    expect(found('', (await findInstalledParts(env, 'all')).program)).toEqual(['.local/bin/ferry-node']);
  });

  it('the parts of Ferry on a computer are none where Ferry never was', async () => {
    expect(await findInstalledParts(env, 'all')).toEqual({
      program: [],
      config: [],
      data: [],
      dataBytes: 0,
      connected: [],
    });
  });
});
