import { describe, expect, it } from '@jest/globals';
import type { NodeView } from '../../nodes/nodes.service.js';
import { attentionOf } from './attention.js';

const nodeOf = (name: string, values: Partial<NodeView> = {}): NodeView =>
  ({ nodeId: `nd_${name}`, name, state: 'active', online: true, problem: null, engines: [], ...values }) as NodeView;

const healthy = () => ({ state: 'healthy', reason: null }) as const;
const codes = (nodes: readonly NodeView[]): string[] => attentionOf(nodes, healthy, []).map(({ code }) => code);

describe('the list of problems', () => {
  it('the list of problems is empty for a new account, and omits an offline computer while another one is online', () => {
    expect(codes([])).toEqual([]);
    expect(codes([nodeOf('studio'), nodeOf('laptop', { online: false })])).toEqual([]);
  });

  it('the list of problems has an entry when no computer is online', () => {
    expect(codes([nodeOf('laptop', { online: false })])).toEqual(['no_node_online']);
  });

  it('the list of problems has one entry for an engine that does not answer, with its message', () => {
    const engine = { name: 'ollama', problem: 'Ollama does not answer.' } as NodeView['engines'][number];
    const [item, second] = attentionOf([nodeOf('vm', { engines: [engine], problem: engine.problem })], healthy, []);
    expect(item).toMatchObject({ code: 'engine_problem', message: 'vm: Ollama does not answer.', nodeId: 'nd_vm' });
    expect(second).toBeUndefined();
  });

  it('the list of problems has entries for a pending node, a node with failures and a key that expires', () => {
    const nodes = [nodeOf('new', { state: 'pending', online: false }), nodeOf('bad')];
    const items = attentionOf(nodes, () => ({ state: 'suspect', reason: 'failures' }), [
      { id: 'key_1', name: 'laptop', expiresAt: new Date(0) },
    ]);
    expect(items.map(({ code }) => code)).toEqual(['node_waits_for_confirmation', 'node_suspect', 'key_expires']);
  });
});
