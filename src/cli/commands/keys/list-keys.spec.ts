import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';

const keyOf = (name: string, by: string | null): object => ({
  object: 'api_key',
  key_id: `key_${name}`,
  name,
  description: null,
  last4: 'abcd',
  scopes: ['inference'],
  cluster_ids: null,
  limits: { requests_per_minute: null, tokens_per_minute: null, concurrency: null },
  created_by: by,
  created: 0,
  expires: null,
  last_used: null,
});

let line: CommandLine;
beforeEach(async () => {
  line = await CommandLine.start();
});
afterEach(() => line.stop());

it('shows by whom each key was made, also of people who were removed', async () => {
  line.list('GET /api/users', { user_id: 'usr_ann', email: 'ann@example.com', name: 'Ann', role: 'member' });
  line.list('GET /api/clusters');
  line.list('GET /api/keys', keyOf('laptop', 'usr_ann'), keyOf('old', 'usr_gone'), keyOf('quickstart', null));
  const { code, stdout } = await line.ferry('keys list');
  expect(code).toBe(0);
  const [heading = '', ...rows] = stdout.trimEnd().split('\n');
  const by = heading.indexOf('BY');
  expect(rows.map((row) => row.slice(by).trim().split(/\s/)[0])).toEqual([
    'ann@example.com',
    'removed',
    expect.anything(),
  ]);
});
