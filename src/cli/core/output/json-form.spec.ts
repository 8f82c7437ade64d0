import { expect, it } from '@jest/globals';
import { inJsonForm } from './json-form.js';

it('the JSON of a command has one name for an id, ISO times and `state`, at any depth', () => {
  const node = { object: 'node', node_id: 'nd_1', status: 'active', last_seen: null, engines: [{ problem_since: 0 }] };
  expect(inJsonForm({ object: 'list', data: [node, { object: 'operation', id: 'op_1', state: 'running' }] })).toEqual({
    object: 'list',
    data: [
      {
        object: 'node',
        node_id: 'nd_1',
        state: 'active',
        last_seen_at: null,
        engines: [{ problem_since: '1970-01-01T00:00:00.000Z' }],
      },
      { object: 'operation', operation_id: 'op_1', state: 'running' },
    ],
  });
});

it('leaves alone what is neither, and what others wrote', () => {
  const document = {
    object: 'x',
    id: 'a',
    connected: true,
    created_at: '2026-11-27T00:00:00Z',
    detail: { created: 1, status: 's' },
  };
  expect(inJsonForm(document)).toEqual(document);
});
