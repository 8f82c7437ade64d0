/** The command line for users and scripts: output streams, exit codes, and the advice in errors. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ferryHere } from '../support/process/ferry-here.js';
import { ferry, type CommandResult } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

const ESCAPE = String.fromCharCode(27);

describe('the ferry command', () => {
  let relay: Tenant;
  let node: TestNode;

  shareRelay((tenant) => (relay = tenant));

  beforeAll(async () => {
    node = await TestNode.start(relay, { name: 'desk' });
  }, 90_000);

  afterAll(() => node.stop(), 30_000);

  const run = (...args: string[]): Promise<CommandResult> => ferry(args, relay.commandEnv);
  const runHere = (...args: string[]): Promise<CommandResult> => ferryHere(args, relay.commandEnv);

  it('creates a key and prints nothing else on stdout, so that $(…) works', async () => {
    const made = await run('keys', 'create', 'laptop');
    expect(made.code).toBe(0);
    expect(made.stdout).toMatch(/^sk-ferry-[0-9A-Za-z]{61}\n$/);
    const headers = { authorization: `Bearer ${made.stdout.trim()}` };
    expect((await relay.fetch('/v1/models', { headers })).status).toBe(200);

    const listed = await runHere('keys', 'list');
    expect(listed.stdout).toContain('laptop');
    expect(listed.stdout + listed.stderr).not.toContain(made.stdout.trim());

    expect((await runHere('keys', 'revoke', 'laptop', '--yes')).code).toBe(0);
    expect((await relay.fetch('/v1/models', { headers })).status).toBe(401);
    const again = await run('keys', 'revoke', 'laptop', '--yes');
    expect(again.code).toBe(5);
    expect(again.stderr).toContain('ferry keys list');
  }, 30_000);

  it('the ferry command also revokes a key by its id', async () => {
    await runHere('keys', 'create', 'by id');
    const { data } = JSON.parse((await runHere('keys', 'list', '--json')).stdout) as {
      data: { key_id: string; name: string }[];
    };
    const { key_id: id } = data.find((key) => key.name === 'by id')!;
    expect((await runHere('keys', 'revoke', id, '--yes')).code).toBe(0);
  }, 30_000);

  it.each([['--json'], ['--output', 'json']])('prints the cluster roster as JSON with %s', async (...flags) => {
    const roster = await runHere('clusters', ...flags);
    expect(JSON.parse(roster.stdout)).toEqual({
      object: 'list',
      data: [
        {
          object: 'cluster',
          cluster_id: relay.credentials.cluster_id,
          name: 'home',
          nodes: 1,
          online: 1,
          loaded: ['tiny'],
          models: 1,
          created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ],
    });
  });

  it('shows clusters and models as tables without colours in a pipe', async () => {
    const clusters = await run('clusters');
    expect(clusters.stdout).toContain('home');
    const models = await runHere('models', 'list');
    expect(models.stdout).toContain('tiny');
    expect(models.stdout).toContain('loaded');
    expect(clusters.stdout + models.stdout).not.toContain(ESCAPE);
  });

  it('prints the pid of the node', async () => {
    const status = await ferryHere(['node', 'status', '--json'], node.env);
    expect(JSON.parse(status.stdout)).toMatchObject({ pid: node.process.pid, connected: true });
  });

  describe('exit codes', () => {
    it('2 for a command that does not exist, with a suggestion', async () => {
      const result = await run('cluster');
      expect(result.code).toBe(2);
      expect(result.stderr).toMatch(/clusters/);
      expect(result.stdout).toBe('');
    });

    it('3 when the relay cannot be reached', async () => {
      const result = await runHere(
        'clusters',
        '--base-url',
        'http://127.0.0.1:9',
        '--token',
        relay.credentials.cli_token,
      );
      expect(result.code).toBe(3);
      expect(result.stderr).toContain('http://127.0.0.1:9');
    });

    it('4 without a sign-in', async () => {
      const nowhere = {
        FERRY_CONFIG_DIR: `${relay.dataDirectory}/nobody`,
        FERRY_DATA_DIR: `${relay.dataDirectory}/nobody`,
      };
      const result = await ferry(['clusters'], nowhere);
      expect(result.code).toBe(4);
      expect(result.stderr).toContain('ferry up');
    });

    it('4 when the token is no longer valid', async () => {
      const result = await runHere('clusters', '--token', `ferry-cli-${'0'.repeat(61)}`);
      expect(result.code).toBe(4);
    });

    it('prints errors as JSON on stderr with --json', async () => {
      const result = await run('keys', 'revoke', 'nope', '--yes', '--json');
      expect(result.code).toBe(5);
      expect(result.stdout).toBe('');
      expect(JSON.parse(result.stderr)).toMatchObject({
        error: { code: expect.any(String), message: expect.any(String) },
      });
    });
  });

  it('prints the effective configuration with its sources, without secrets', async () => {
    const shown = await ferry(['config', '--json'], {
      ...relay.commandEnv,
      FERRY_QUEUE_LIMIT: '7',
      FERRY_SECRET: 'a secret that must never be shown',
      DATABASE_URL: 'postgres://me:hidden@localhost/ferry',
    });
    expect(shown.code).toBe(0);
    expect(shown.stdout).not.toContain('must never be shown');
    expect(shown.stdout).not.toContain('hidden');
    const { data } = JSON.parse(shown.stdout) as { data: { env: string; value: unknown; source: string }[] };
    expect(data.find((row) => row.env === 'FERRY_QUEUE_LIMIT')).toMatchObject({ value: 7, source: 'environment' });
    expect(data.find((row) => row.env === 'FERRY_BODY_LIMIT_BYTES')).toMatchObject({
      value: 16_777_216,
      source: 'default',
    });
  });

  it('reports all errors in the configuration together', async () => {
    const refused = await ferry(['serve'], { ...relay.commandEnv, FERRY_PORT: 'http', FERRY_QUEUE_LIMIT: '-1' });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('FERRY_PORT');
    expect(refused.stderr).toContain('FERRY_QUEUE_LIMIT');
  });
});
