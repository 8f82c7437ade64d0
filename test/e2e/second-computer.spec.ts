/** A second computer with one command: the installer of a running relay, an empty home directory, and a response by its model. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FerryProcess, repositoryRoot, type CommandResult } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';

interface JoinToken {
  readonly join_token: string;
  readonly install_command: string;
}

let relay: Tenant;
let home: string;
let programs: string;
shareRelay((shared) => (relay = shared));

beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'ferry-second-'));
  programs = path.join(home, 'data/ferry/agent');
}, 60_000);
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

const env = (): Record<string, string> => ({
  HOME: home,
  XDG_DATA_HOME: path.join(home, 'data'),
  FERRY_DATA_DIR: path.join(home, 'node-data'),
});

const run = async (program: string, args: readonly string[]): Promise<CommandResult> => {
  const process = FerryProcess.startProgram(program, args, home, env());
  return { code: await process.exited, stdout: process.stdout, stderr: process.stderr };
};
const launcher = (): string => path.join(home, '.local/bin/ferry-node');

describe('a second computer', () => {
  it('a second computer is offered the agent with its version and digest', async () => {
    const facts = (await (await fetch(`${relay.baseUrl}/agent/version.json`)).json()) as Record<string, unknown>;
    const agent = Buffer.from(await (await fetch(`${relay.baseUrl}/agent/ferry-node.mjs`)).arrayBuffer());
    const { version } = JSON.parse(await readFile(path.join(repositoryRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(facts).toEqual({
      version,
      link_versions: [1],
      sha256: createHash('sha256').update(agent).digest('hex'),
      size: agent.length,
    });
  });

  it('joins by the install command of the join token', async () => {
    const token = await relay.manage<JoinToken>('POST', '/join-tokens', {});
    const { code, stdout, stderr } = await run('sh', ['-c', `${token.install_command} --name second --without-engine`]);
    expect(stderr).toContain('Joined');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^nd_\w+\n$/);
    expect(await readdir(programs)).toEqual(['ferry-node.mjs']);
  }, 60_000);

  it('serves a model with only the agent file and its engine', async () => {
    // As `--with-engine` installs it, without downloading a hundred megabytes again.
    await symlink(path.join(repositoryRoot, 'engines'), path.join(programs, 'engines'));
    const node = FerryProcess.startProgram(launcher(), ['run'], home, env());
    try {
      const response = await eventually(
        'the model answers',
        async () => {
          if (!node.running) throw new Error(`the node ended: ${node.ending}`);
          const response = await relay.chat({
            model: 'tiny',
            temperature: 0,
            messages: [{ role: 'user', content: 'Count to 8' }],
          });
          return response.status === 200 && response;
        },
        30_000,
      );
      expect(await response.text()).toContain('1, 2, 3, 4, 5, 6, 7, 8');
      const status = await run(launcher(), ['status']);
      expect(status.stdout).toMatch(/State +connected/);
      expect(status.stdout).toMatch(/Version +\d+\.\d+\.\d+$/m);
    } finally {
      expect(await node.stop()).toBe(0);
    }
  }, 60_000);

  it('a second computer is updated by the same command without a token, and keeps its identity', async () => {
    const { code, stderr } = await run('sh', [
      '-c',
      `curl -fsSL ${relay.baseUrl}/install.sh | sh -s -- --without-engine`,
    ]);
    expect(stderr).toContain('Installed the Ferry node');
    expect(code).toBe(0);
    expect(await readdir(path.join(home, 'node-data/node'))).toContain('identity.json');
  }, 60_000);
});
