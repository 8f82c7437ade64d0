import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';

const revoked = { object: 'node', node_id: 'nd_old', name: 'studio', status: 'revoked' };

let line: CommandLine;
beforeEach(async () => {
  line = await CommandLine.start();
  line.list('GET /api/nodes', { ...revoked, node_id: 'nd_other', name: 'desk', status: 'active' });
  line.list('GET /api/nodes?status=revoked', revoked);
  line.respond('DELETE /api/nodes/nd_old', { object: 'node', node_id: 'nd_old', status: 'deleted' });
});
afterEach(() => line.stop());

it('deletes an already revoked node by name', async () => {
  expect(await line.ferry('nodes delete studio --yes')).toMatchObject({ code: 0, stderr: 'Deleted node studio.\n' });
});

it('prefers the node that has the name now over a revoked one', async () => {
  line.list('GET /api/nodes', { ...revoked, node_id: 'nd_new', status: 'active' });
  line.respond('DELETE /api/nodes/nd_new', { object: 'node', node_id: 'nd_new', status: 'deleted' });
  expect((await line.ferry('nodes delete studio --yes')).code).toBe(0);
  expect(line.received.map(({ route }) => route)).not.toContain('DELETE /api/nodes/nd_old');
});
