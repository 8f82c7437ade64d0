import { describe, expect, it } from '@jest/globals';
import type { NodeView } from '../../nodes/nodes.service.js';
import { attentionOf, type AttentionFacts } from './attention.js';

const NOW_MS = Date.UTC(2026, 0, 2);
const HOUR_MS = 3_600_000;

const nodeOf = (name: string, values: Partial<NodeView> = {}): NodeView =>
  ({
    nodeId: `nd_${name}`,
    name,
    state: 'active',
    online: true,
    paused: false,
    problem: null,
    problemSince: null,
    lastSeenAt: new Date(NOW_MS - HOUR_MS),
    engines: [],
    ...values,
  }) as NodeView;

const facts = (nodes: readonly NodeView[], values: Partial<AttentionFacts> = {}): AttentionFacts => ({
  nodes,
  healthOf: () => ({ state: 'healthy', reason: null }),
  departureOf: () => undefined,
  keys: [],
  fullDisks: [],
  nowMs: NOW_MS,
  ...values,
});
const codes = (...given: Parameters<typeof facts>): string[] => attentionOf(facts(...given)).map(({ code }) => code);

describe('the list of problems', () => {
  it('the list of problems is empty for a new account', () => {
    expect(codes([])).toEqual([]);
  });

  it('the list of problems has one entry when no computer is online', () => {
    expect(codes([nodeOf('laptop', { online: false }), nodeOf('studio', { online: false })])).toEqual([
      'no_node_online',
    ]);
  });

  it('the list of problems names a computer that died while another one is online, and since when', () => {
    const gone = nodeOf('laptop', { online: false });
    expect(attentionOf(facts([nodeOf('studio'), gone]))).toMatchObject([
      { code: 'node_gone', nodeId: 'nd_laptop', message: expect.stringMatching(/^laptop: /), since: gone.lastSeenAt },
    ]);
  });

  it.each<[string, Partial<NodeView>, Partial<AttentionFacts>]>([
    ['was stopped', {}, { departureOf: () => ({ atMs: NOW_MS, announced: true }) }],
    ['is paused', { paused: true }, {}],
    ['was never online', { lastSeenAt: null }, {}],
    ['has been away for more than a day', { lastSeenAt: new Date(NOW_MS - 25 * HOUR_MS) }, {}],
  ])('the list of problems omits an offline computer that %s', (_why, values, other) => {
    expect(codes([nodeOf('studio'), nodeOf('laptop', { online: false, ...values })], other)).toEqual([]);
  });

  it('the list of problems names the engine that does not run, not the requests that failed because of it', () => {
    const engine = { name: 'ollama', problem: 'cannot be reached' } as NodeView['engines'][number];
    const node = nodeOf('vm', { engines: [engine], problem: 'Engine ollama cannot be reached.' });
    const healthOf = () => ({ state: 'suspect', reason: 'failures' }) as const;
    expect(attentionOf(facts([node], { healthOf }))).toMatchObject([
      { code: 'engine_problem', message: 'vm: Engine ollama cannot be reached.', nodeId: 'nd_vm' },
    ]);
  });

  it('the list of problems has entries for a pending node, a full disk, a node with failures and a key that expires', () => {
    const nodes = [nodeOf('new', { state: 'pending', online: false }), nodeOf('bad')];
    const found = codes(nodes, {
      healthOf: () => ({ state: 'suspect', reason: 'failures' }),
      keys: [{ id: 'key_1', name: 'laptop', expiresAt: new Date(0) }],
      fullDisks: [{ nodeId: 'nd_bad', nodeName: 'bad', since: new Date(0) }],
    });
    expect(found).toEqual(['node_waits_for_confirmation', 'disk_full', 'node_suspect', 'key_expires']);
  });
});
