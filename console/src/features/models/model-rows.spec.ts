import { describe, expect, it } from '@jest/globals';
import type { Node, NodeModel } from '../../components/node-facts';
import type { Operation } from '../../api/operation-state';
import { capabilities, isShown, loadablePlaces, loadedPlaces, modelRows, rankOfRow } from './model-rows';

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
    health: 'healthy',
    ...members,
  }) as NodeModel;
const node = (id: string, cluster: string, models: readonly NodeModel[], members: Partial<Node> = {}): Node =>
  ({ node_id: id, name: id, cluster_id: cluster, models, gpus: [], ...members }) as Node;
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

  it('the rows of models stay failed until the operation is tried again or dismissed, where nothing better is', () => {
    const failed = {
      id: 'op',
      kind: 'load',
      node_id: 'one',
      model_key: 'a/m',
      state: 'failed',
      finished_at: new Date().toISOString(),
      dismissed_at: null,
    } as Operation;
    const stateOf = (operations: readonly Operation[], other: Partial<NodeModel> = {}): unknown =>
      rowsOf([node('one', 'cl_a', [model({})]), node('two', 'cl_a', [model(other)])], operations)[0]?.state;
    expect(stateOf([failed])).toEqual({ state: 'failed', label: 'Load failed' });
    expect(stateOf([failed], { state: 'loaded' })).toMatchObject({ state: 'serving' });
    expect(stateOf([{ ...failed, dismissed_at: failed.finished_at }])).toMatchObject({ label: 'installed' });
    const weeksAgo = new Date(Date.now() - 8 * 86_400_000).toISOString();
    expect(stateOf([{ ...failed, finished_at: weeksAgo }])).toMatchObject({ label: 'installed' });
  });

  it('the rows of models can be put in an order with loaded ones first, and filtered by what each computer says', () => {
    const rows = rowsOf([
      node('one', 'cl_a', [
        model({ display_name: 'b' }),
        model({ selector: 'mdl_2', display_name: 'a', state: 'failed' }),
        model({ selector: 'mdl_3', display_name: 'c', health: 'suspect', state: 'loaded' }),
      ]),
      node('two', 'cl_a', [model({ display_name: 'b', state: 'loaded' })]),
    ]);
    expect(rows.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(rows.toSorted((one, other) => rankOfRow(one) - rankOfRow(other)).map(({ name }) => name)).toEqual([
      'b',
      'c',
      'a',
    ]);
    const shown = (show: 'loaded' | 'installed' | 'problem') =>
      rows.filter((row) => isShown(row, show)).map(({ name }) => name);
    expect(shown('loaded')).toEqual(['b', 'c']);
    expect(shown('installed')).toEqual(['a', 'b']);
    expect(shown('problem')).toEqual(['a', 'c']);
  });

  it('the rows of models name the computers that can load the model, those with room for it first', () => {
    const memory = (free: number) => ({ memory: { total_bytes: 64e9, free_bytes: free } });
    const big = model({ size_bytes: 20e9 });
    const [row] = rowsOf([
      node('full', 'cl_a', [big], memory(1e9)),
      node('free', 'cl_a', [big], memory(60e9)),
      node('has', 'cl_a', [model({ size_bytes: 20e9, state: 'loaded' })], memory(1e9)),
      node('small', 'cl_a', [big], { memory: { total_bytes: 8e9, free_bytes: 8e9 } }),
    ]);
    expect(row && loadablePlaces(row).map((place) => place.node.name)).toEqual(['free', 'full', 'small']);
    expect(row && loadedPlaces(row).map((place) => place.node.name)).toEqual(['has']);
  });

  it('the rows of models name a computer on which the load has failed last, whatever its room', () => {
    const big = model({ size_bytes: 20e9 });
    const memory = { memory: { total_bytes: 64e9, free_bytes: 60e9 } };
    const failed = {
      id: 'op',
      kind: 'load',
      node_id: 'free',
      model_key: 'a/m',
      state: 'failed',
      finished_at: new Date().toISOString(),
      dismissed_at: null,
    } as Operation;
    const [row] = rowsOf([node('free', 'cl_a', [big], memory), node('unknown', 'cl_a', [big])], [failed]);
    expect(row && loadablePlaces(row).map((place) => place.node.name)).toEqual(['unknown', 'free']);
  });

  it('the rows of models list the capabilities of the model', () => {
    const [row] = rowsOf([node('one', 'cl_a', [model({ inputs: ['text', 'image'], tools: true, reasoning: false })])]);
    expect(row && capabilities(row)).toEqual(['vision', 'tools']);
  });
});
