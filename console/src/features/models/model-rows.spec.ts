import { describe, expect, it } from '@jest/globals';
import type { Node, NodeModel } from '../../components/node-facts';
import type { Operation } from '../../api/operation-state';
import { capabilities, modelRows } from './model-rows';

const model = (members: Partial<NodeModel>): NodeModel =>
  ({
    key: 'a/m',
    selector: 'mdl_1',
    display_name: 'm',
    state: 'installed',
    reason: null,
    inputs: ['text'],
    tools: null,
    reasoning: null,
    embedding: false,
    ...members,
  }) as NodeModel;
const node = (id: string, cluster: string, models: readonly NodeModel[]): Node =>
  ({ node_id: id, name: id, cluster_id: cluster, models }) as Node;
const rowsOf = (nodes: readonly Node[], operations: readonly Operation[] = []) =>
  modelRows({
    nodes,
    models: [{ selector: 'mdl_1', id: 'm' }] as never,
    clusters: [{ cluster_id: 'cl_a', name: 'home' }] as never,
    operations,
  });

describe('the rows of models', () => {
  it('the rows of models are one per model and cluster, in the best state of its computers', () => {
    const rows = rowsOf([
      node('one', 'cl_a', [model({}), model({ key: 'a/n', selector: 'mdl_2' })]),
      node('two', 'cl_a', [model({ state: 'loaded' })]),
      node('three', 'cl_b', [model({ reason: 'engine_unreachable' })]),
    ]);
    expect(rows.map(({ id, cluster, placements, state }) => [id, cluster, placements.length, state.label])).toEqual([
      ['m', 'home', 2, 'loaded'],
      ['mdl_2', 'home', 1, 'installed'],
      ['m', 'cl_b', 1, 'engine unreachable'],
    ]);
  });

  it('the rows of models have the operation that is running on each computer', () => {
    const operation = { id: 'op', kind: 'load', node_id: 'one', model_key: 'a/m', state: 'running' } as Operation;
    const done = { ...operation, node_id: 'two', state: 'succeeded' } as Operation;
    const [row] = rowsOf([node('one', 'cl_a', [model({})]), node('two', 'cl_a', [model({})])], [operation, done]);
    expect(row?.placements.map((placement) => placement.operation?.id)).toEqual(['op', undefined]);
  });

  it('the rows of models list the capabilities of the model', () => {
    const [row] = rowsOf([node('one', 'cl_a', [model({ inputs: ['text', 'image'], tools: true, reasoning: false })])]);
    expect(row && capabilities(row)).toEqual(['vision', 'tools']);
  });
});
