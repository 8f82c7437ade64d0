import { describe, expect, it } from '@jest/globals';
import type { ClusterId, ModelSelector } from '../../kernel/ids.js';
import { clusterScope } from './cluster-scope.js';
import { modelList, type Advertisement, type ListedModel } from './model-list.js';

const home = 'cl_home00000000' as ClusterId;
const office = 'cl_office0000000' as ClusterId;

const model = (id: string, ...advertisements: Advertisement[]): ListedModel => ({
  id,
  selector: 'mdl_0123456789abcdef' as ModelSelector,
  displayName: `display ${id}`,
  canonicalName: `canonical-${id}`,
  firstSeenMs: 1_700_000_000_999,
  advertisements,
});
const at = (clusterId: ClusterId, loaded: boolean): Advertisement => ({ clusterId, loaded });

describe('modelList', () => {
  it('modelList has exactly the fields of the specification', () => {
    expect(modelList([model('tiny', at(home, true))], null, 'ferry')).toEqual({
      object: 'list',
      data: [
        {
          id: 'tiny',
          selector: 'mdl_0123456789abcdef',
          display_name: 'display tiny',
          canonical_name: 'canonical-tiny',
          object: 'model',
          created: 1_700_000_000,
          owned_by: 'ferry',
          loaded: true,
          clusters: [{ cluster_id: home, loaded: true }],
        },
      ],
    });
  });

  it('modelList has a loaded flag per cluster and per model', () => {
    const [record] = modelList([model('a', at(office, false), at(home, true), at(home, false))], null, 'ferry').data;
    expect(record).toMatchObject({
      loaded: true,
      clusters: [
        { cluster_id: home, loaded: true },
        { cluster_id: office, loaded: false },
      ],
    });
  });

  it('filters a pinned list by that cluster, with the same ids', () => {
    const models = [model('a', at(home, true), at(office, false)), model('b', at(home, true))];
    const pinned = modelList(models, clusterScope(office, null), 'ferry').data;
    expect(pinned.map(({ id, loaded, clusters }) => ({ id, loaded, clusters }))).toEqual([
      { id: 'a', loaded: false, clusters: [{ cluster_id: office, loaded: false }] },
    ]);
  });

  it('shows a restricted key its clusters only', () => {
    const models = [model('a', at(home, true)), model('b', at(office, true))];
    expect(modelList(models, clusterScope(null, [office]), 'ferry').data.map(({ id }) => id)).toEqual(['b']);
  });

  it('leaves out models that no online node has', () => {
    expect(modelList([model('a')], null, 'ferry').data).toEqual([]);
  });

  it('lists installed models that are not loaded', () => {
    expect(modelList([model('a', at(home, false))], null, 'ferry').data[0]).toMatchObject({ loaded: false });
  });

  it('modelList has the same order in whatever order nodes connected', () => {
    const models = [model('b', at(home, true)), model('a', at(home, true)), model('B', at(home, true))];
    expect(modelList(models, null, 'ferry').data.map(({ id }) => id)).toEqual(['B', 'a', 'b']);
  });
});
