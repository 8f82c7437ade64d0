import { describe, expect, it } from '@jest/globals';
import type { NodeView } from '../nodes/nodes.service.js';
import { attentionOf } from './attention.js';

const nodeOf = (name: string, values: Partial<NodeView> = {}): NodeView =>
  ({ nodeId: `nd_${name}`, name, state: 'active', online: true, problem: null, engines: [], ...values }) as NodeView;

const healthy = () => ({ state: 'healthy', reason: null }) as const;
const codes = (nodes: readonly NodeView[]): string[] => attentionOf(nodes, healthy, []).map(({ code }) => code);

describe('what needs attention', () => {
  it('is nothing in a new account, and a computer that is off while another one is on', () => {
    expect(codes([])).toEqual([]);
    expect(codes([nodeOf('studio'), nodeOf('laptop', { online: false })])).toEqual([]);
  });

  it('is that no computer is online', () => {
    expect(codes([nodeOf('laptop', { online: false })])).toEqual(['no_node_online']);
  });

  it('is an engine that does not answer, once, in its own words', () => {
    const engine = { name: 'ollama', problem: 'Ollama does not answer.' } as NodeView['engines'][number];
    const [item, second] = attentionOf([nodeOf('vm', { engines: [engine], problem: engine.problem })], healthy, []);
    expect(item).toMatchObject({ code: 'engine_problem', message: 'vm: Ollama does not answer.', nodeId: 'nd_vm' });
    expect(second).toBeUndefined();
  });

  it('is a node that waits for confirmation, one with failures, and a key that expires', () => {
    const nodes = [nodeOf('new', { state: 'pending', online: false }), nodeOf('bad')];
    const items = attentionOf(nodes, () => ({ state: 'suspect', reason: 'failures' }), [
      { id: 'key_1', name: 'laptop', expiresAt: new Date(0) },
    ]);
    expect(items.map(({ code }) => code)).toEqual(['node_waits_for_confirmation', 'node_suspect', 'key_expires']);
  });
});
