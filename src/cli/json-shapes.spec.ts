/** Every command with a documented shape, as a program runs it: what is on stdout is of that shape, and nothing else is there. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse as parseYaml, parseAllDocuments } from 'yaml';
import { CommandLine } from '../../test/support/cli/command-line.js';
import { respondToEverything, invite, JOB } from '../../test/support/cli/management-responses.js';
import { NODE } from '../../test/support/cli/node-responses.js';
import { shapeProblems } from '../../test/support/cli/shape-problems.js';
import { jsonShapes } from './json-shapes.js';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
  respondToEverything(line);
});
afterAll(() => line.stop());

/** One command line for each of the shapes. */
const commandLines: Readonly<Record<string, string>> = {
  status: 'status',
  version: 'version',
  whoami: 'whoami',
  'profiles list': 'profiles list',
  'clusters list': 'clusters list',
  'clusters create': 'clusters create lab',
  'clusters rename': 'clusters rename home lab',
  'nodes list': 'nodes list',
  'nodes show': 'nodes show desk',
  'nodes history': 'nodes history desk',
  'nodes rename': 'nodes rename desk table',
  'nodes move': 'nodes move desk home',
  'nodes note': 'nodes note desk quiet',
  'nodes tag': 'nodes tag desk office',
  'nodes untag': 'nodes untag desk office',
  'nodes pause': 'nodes pause desk',
  'nodes resume': 'nodes resume desk',
  'nodes approve': 'nodes approve BCDF-GHJK --yes',
  'nodes confirm': 'nodes confirm desk apple river stone',
  'nodes join-token': 'nodes join-token --cluster home',
  'nodes join-tokens': 'nodes join-tokens',
  'nodes revoke-join-token': 'nodes revoke-join-token join_1 --yes',
  'models list': 'models list',
  'models show': 'models show mdl_0123456789abcdef',
  'models search': 'models search qwen3 coder',
  'models starters': 'models starters desk',
  'models ps': 'models ps',
  'models install': 'models install qwen3:8b --node desk',
  'models load': 'models load qwen3:8b',
  'models unload': 'models unload qwen3:8b',
  'models remove': 'models remove qwen3:8b --yes',
  'models jobs list': 'models jobs list',
  'models jobs watch': `models jobs watch ${JOB}`,
  'models jobs cancel': `models jobs cancel ${JOB}`,
  'models jobs retry': `models jobs retry ${JOB}`,
  'models jobs dismiss': `models jobs dismiss ${JOB}`,
  'keys list': 'keys list',
  'keys create':
    'keys create laptop --description tests --scope inference,models:read --cluster home --expires 90d --rpm 60 --tpm none',
  'keys update': 'keys update laptop --concurrency 4',
  'keys roll': 'keys roll laptop --overlap 1h',
  'keys revoke': 'keys revoke laptop --yes',
  'extensions list': 'extensions list',
  'extensions on': 'extensions on count-tokens',
  'extensions off': 'extensions off count-tokens',
  'extensions reset': 'extensions reset count-tokens',
  'users list': 'users list',
  'users role': 'users role Ann@Example.com admin',
  'users remove': 'users remove usr_1 --yes',
  'users invite': 'users invite --role admin',
  'users invites': 'users invites',
  'users revoke-invite': 'users revoke-invite inv_1 --yes',
  'users tokens': 'users tokens',
  'users revoke-token': 'users revoke-token cli_1 --yes',
  usage: 'usage',
  audit: 'audit',
  top: 'top --once',
  requests: 'requests',
  logs: 'logs desk',
  explain: 'explain req_1',
  run: 'run mdl_0123456789abcdef hi',
  chat: 'chat -m tiny hi',
  env: 'env claude -m tiny',
  connect: 'connect codex -m mdl_0123456789abcdef --print',
};

const KEY = { FERRY_API_KEY: 'sk-ferry-x' };

describe('JSON output of commands', () => {
  it('JSON output of commands has a command line in this test for every documented shape', () => {
    // Tested on a computer of its own: `ferry node`, `ferry service` and `ferry uninstall` in test/e2e/this-computer.spec.ts, `ferry doctor` in
    // test/unit/doctor.spec.ts, `ferry backup` and the like in test/e2e/backup.spec.ts, `ferry accounts` in test/e2e/accounts.spec.ts,
    // `ferry probe` in its own, `ferry down` in test/e2e/first-week.spec.ts.
    const elsewhere = /^(?:(?:node|service|accounts) |(?:down|doctor|backup|restore|db move|probe|uninstall)$)/;
    const ofRelay = Object.keys(jsonShapes).filter((words) => !elsewhere.test(words));
    expect(Object.keys(commandLines).sort()).toEqual(ofRelay.sort());
  });

  it.each(Object.keys(commandLines))('ferry %s: the documented shape, as JSON and as YAML', async (words) => {
    const { kind } = jsonShapes[words]!;
    const command = commandLines[words]!;
    const json = await line.ferry(`${command} --json`, KEY);
    expect({ code: json.code, stderr: json.code === 0 ? '' : json.stderr }).toEqual({ code: 0, stderr: '' });
    const yaml = await line.ferry(`${command} --output yaml`, KEY);
    const isStream = kind === 'stream';
    const last = kind === 'lines' || isStream ? json.stdout.trimEnd().split('\n').at(-1)! : json.stdout;
    const ofYaml: unknown = isStream ? parseAllDocuments(yaml.stdout).at(-1)?.toJS() : parseYaml(yaml.stdout);
    for (const printed of [JSON.parse(last), ofYaml] as { data: unknown[] }[]) {
      const documents = kind === 'list' ? printed.data : [printed];
      if (kind === 'list') expect(printed).toMatchObject({ object: 'list' });
      for (const document of documents) expect(shapeProblems(words, document)).toEqual([]);
      expect(words === 'profiles list' ? 1 : documents.length).toBe(1);
    }
  });

  it.each(Object.keys(commandLines))('ferry %s: has human-readable output, too', async (words) => {
    const { code } = await line.ferry(commandLines[words]!, KEY);
    expect(code).toBe(0);
  });

  it('sends only the given options', async () => {
    line.received.length = 0;
    await line.ferry(commandLines['keys create']!, KEY);
    const sent = JSON.parse(line.received.at(-1)?.body ?? '') as Record<string, unknown>;
    expect(sent).toEqual({
      name: 'laptop',
      description: 'tests',
      scopes: ['inference', 'models:read'],
      cluster_ids: ['cl_8f2a91aa'],
      expires_in_seconds: expect.any(Number),
      limits: { requests_per_minute: 60, tokens_per_minute: null },
    });
    expect(Math.abs(Number(sent['expires_in_seconds']) - 90 * 86_400)).toBeLessThan(60);
  });

  it('follows the pages of a list to its end', async () => {
    line.respond('GET /api/invites', { object: 'list', data: [invite], has_more: true, next_cursor: 'a b' });
    line.respond('GET /api/invites?cursor=a+b', {
      object: 'list',
      data: [invite],
      has_more: false,
      next_cursor: null,
    });
    const { stdout } = await line.ferry('users invites --json');
    expect((JSON.parse(stdout) as { data: unknown[] }).data).toHaveLength(2);
    line.list('GET /api/invites', invite);
  });

  it('asks before it deletes, and refuses without a terminal', async () => {
    for (const command of [
      'clusters delete home',
      'keys revoke laptop',
      `nodes revoke ${NODE}`,
      `nodes delete ${NODE}`,
      'users remove usr_1',
      'users revoke-invite inv_1',
      'users revoke-token cli_1',
      'nodes revoke-join-token join_1',
    ]) {
      line.received.length = 0;
      expect(await line.ferry(command)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
      expect(line.received.filter(({ route }) => !route.startsWith('GET'))).toEqual([]);
    }
    expect((await line.ferry('clusters delete home --yes')).code).toBe(0);
  });
});
