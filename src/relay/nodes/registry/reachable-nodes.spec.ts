import { beforeEach, describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import { account, FakeNode } from '../../../../test/support/relay/routing-fleet.js';
import type { NodeChange, OnlineNode } from './online-node.js';
import { ReachableNodes } from './reachable-nodes.js';

class RemoteFakeNode extends FakeNode {
  readonly isRemote = true;
}

let linked: FakeNode[];
let local: Subject<NodeChange>;
let reachable: ReachableNodes;
let changes: NodeChange['kind'][];

const node = new FakeNode('one');
const { nodeId } = node;
const remote: OnlineNode = new RemoteFakeNode('one');

beforeEach(() => {
  linked = [];
  local = new Subject();
  changes = [];
  const registry = {
    changes$: local,
    onlineIn: () => linked,
    find: () => linked[0],
  };
  reachable = new ReachableNodes(registry, { find: () => undefined, reports: () => Promise.resolve(new Map()) });
  reachable.changes$.subscribe(({ kind }) => changes.push(kind));
});

const change = (kind: NodeChange['kind']): void => {
  local.next({ accountId: account, nodeId, kind });
};
const inAccount = (): OnlineNode[] => [...reachable.onlineIn(account)];

describe('a node that another replica has', () => {
  it('is reached through that one until it has reported over its own link', () => {
    reachable.putRemote(remote);
    node.hasReported = false;
    linked = [node];
    change('connected');
    expect([reachable.find(account, nodeId), inAccount()]).toEqual([remote, [remote]]);
    reachable.remoteStatusChanged(account, nodeId);

    node.hasReported = true;
    change('status');
    expect([reachable.find(account, nodeId), inAccount()]).toEqual([node, [node]]);
    changes = [];
    // Its models are read again, because those of the own link are other objects.
    reachable.dropRemote(account, nodeId);
    expect([changes, inAccount()]).toEqual([['inventory'], [node]]);
  });

  it('is reached through it again when its own link ends', () => {
    reachable.putRemote(remote);
    linked = [node];
    change('connected');
    expect(reachable.find(account, nodeId)).toBe(node);
    linked = [];
    changes = [];
    change('disconnected');
    expect(changes).toEqual(['disconnected', 'inventory']);
    expect(inAccount()).toEqual([remote]);
    reachable.dropRemote(account, nodeId);
    expect([changes.at(-1), inAccount()]).toEqual(['disconnected', []]);
  });
});

it('a node without another replica is known before it has reported, as one without models', () => {
  node.hasReported = false;
  linked = [node];
  expect([reachable.find(account, nodeId), inAccount()]).toEqual([node, [node]]);
});
