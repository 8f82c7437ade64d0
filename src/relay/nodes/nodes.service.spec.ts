import { expect, it } from '@jest/globals';
import type { AuditActor } from '../accounts/audit/audit-event.js';
import { createAccountId, createNodeId } from '../../kernel/ids.js';
import type { NodeChangesStore } from './node-changes.store.js';
import type { NodesStore } from './nodes.store.js';
import { NodesService } from './nodes.service.js';
import type { NodeRegistry } from './registry/node-registry.js';
import type { ReachableNodes } from './registry/reachable-nodes.js';

const account = createAccountId();
const [desk, shelf] = [createNodeId(), createNodeId()];
const actor = { kind: 'system' } as unknown as AuditActor;

it('refuses a name that another node of the account has, in any case, and nothing is changed', async () => {
  const changed: unknown[] = [];
  const service = new NodesService(
    {
      list: () =>
        Promise.resolve([
          { id: desk, name: 'desk' },
          { id: shelf, name: 'shelf' },
        ]),
    } as unknown as NodesStore,
    {
      change: (_account: unknown, _node: unknown, change: unknown) => {
        changed.push(change);
        return Promise.resolve(undefined);
      },
    } as unknown as NodeChangesStore,
    {} as NodeRegistry,
    {} as ReachableNodes,
  );
  await expect(service.update(account, shelf, { name: 'Desk' }, actor)).rejects.toMatchObject({
    code: 'conflict',
    message: 'Another node is called desk.',
  });
  expect(changed).toEqual([]);
  await service.update(account, shelf, { name: 'Shelf' }, actor);
  await service.update(account, shelf, { name: 'tower' }, actor);
  expect(changed).toEqual([{ name: 'Shelf' }, { name: 'tower' }]);
});
