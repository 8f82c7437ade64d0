import { describe, expect, it } from '@jest/globals';
import { matchActions, paletteActions, recentActions, type PaletteData } from './palette-actions';
import type { RecentObject } from './recent-list';

const data: PaletteData = {
  pages: [{ to: '/models', label: 'Models' }],
  nodes: [{ node_id: 'nod_1', name: 'studio', online: true }],
  models: [
    { id: 'qwen3:8b', selector: 'mdl_1', display_name: 'Qwen3 8B', loaded: true },
    { id: 'gemma3:4b', selector: 'mdl_2', display_name: 'Gemma3 4B', loaded: false },
  ],
  clusters: [
    { cluster_id: 'cl_1', name: 'home' },
    { cluster_id: 'cl_2', name: 'lab' },
  ],
};

describe('the palette', () => {
  const actions = paletteActions(data);
  const labels = (query: string): readonly string[] => matchActions(actions, query).map(({ label }) => label);

  it('shows pages, commands, and some computers and models before anything is typed, loaded models first', () => {
    const models = [
      { id: 'z', selector: 'mdl_0', display_name: 'Zephyr', loaded: false },
      ...data.models,
      ...['b', 'c', 'd'].map((id) => ({ id, selector: id, display_name: id, loaded: false })),
    ];
    const nodes = Array.from({ length: 9 }, (_, index) => ({ node_id: `${index}`, name: `n${index}`, online: true }));
    const shown = matchActions(paletteActions({ ...data, nodes, models }), '');
    const ofGroup = (wanted: string) => shown.filter(({ group }) => group === wanted).map(({ label }) => label);
    expect([...new Set(shown.map(({ group }) => group))]).toEqual(['Do', 'Go to', 'Computers', 'Models']);
    expect(ofGroup('Computers')).toEqual(['n0', 'n1', 'n2', 'n3']);
    expect(ofGroup('Models')).toEqual(['Chat with Qwen3 8B', 'Load Zephyr', 'Load Gemma3 4B', 'Load b']);
  });

  it('begins with what was visited last, by its name of today, without what is gone or shown', () => {
    const request = 'req_5b1f0c9e7a3d4f6889e2c4b7d0a1f352';
    const visited: readonly RecentObject[] = [
      { kind: 'request', id: request, name: 'Qwen3 8B' },
      { kind: 'computer', id: 'nod_1', name: 'its old name' },
      { kind: 'computer', id: 'nod_gone', name: 'gone' },
      { kind: 'model', id: 'mdl_1', name: 'qwen3' },
    ];
    const recent = recentActions(visited, data, '/');
    const shown = matchActions(actions, '', recent).filter(({ group }) => group === 'Recent');
    expect(shown.map(({ label, note }) => `${note} ${label}`)).toEqual([
      'Request Qwen3 8B · …a1f352',
      'Computer studio',
      'Model Qwen3 8B',
    ]);
    expect(matchActions(actions, '', recent)[0]).toBe(shown[0]);
    expect(matchActions(actions, '', recent).filter(({ label }) => label === 'studio').length).toBe(1);
    expect(recentActions(visited, data, '/computers/nod_1').map(({ label }) => label)).not.toContain('studio');
    const early = recentActions(visited, { nodes: undefined, models: undefined }, '/');
    expect(early.map(({ label }) => label)).toEqual(['Qwen3 8B · …a1f352', 'its old name', 'gone', 'qwen3']);
    // What is typed finds the object itself, once.
    expect(matchActions(actions, 'studio', recent).map(({ group }) => group)).toEqual(['Computers']);
  });

  it('offers to chat with a loaded model and to load another', () => {
    expect(labels('qwen')).toEqual(['Chat with Qwen3 8B', 'Copy id of Qwen3 8B']);
    expect(labels('load gemma')).toEqual(['Load Gemma3 4B']);
  });

  it('copies the name of a model in requests', () => {
    expect(matchActions(actions, 'copy gemma')[0]?.effect).toEqual({ kind: 'copy', text: 'gemma3:4b' });
  });

  it('puts labels that begin with the word first', () => {
    expect(labels('models')[0]).toBe('Models');
    expect(labels('studio')).toEqual(['studio']);
  });

  it('finds a request by its id or a part of it', () => {
    const id = 'req_5b1f0c9e7a3d4f6889e2c4b7d0a1f352';
    expect(matchActions(actions, id)).toMatchObject([{ effect: { kind: 'go', to: `/requests/${id}` } }]);
    expect(matchActions(actions, '…a1f352')).toMatchObject([
      { effect: { kind: 'go', to: '/requests', search: { request_id: 'a1f352' } } },
    ]);
  });

  it('offers clusters only where there is a choice', () => {
    expect(labels('show')).toEqual(['Show all clusters', 'Show home', 'Show lab']);
    expect(
      paletteActions({ ...data, clusters: data.clusters.slice(0, 1) }).some(({ group }) => group === 'Clusters'),
    ).toBe(false);
  });

  it('limits the number of results', () => {
    const models = Array.from({ length: 1_000 }, (_, index) => ({
      id: `m${index}`,
      selector: `mdl_${index}`,
      display_name: `m${index}`,
      loaded: false,
    }));
    expect(matchActions(paletteActions({ ...data, models }), 'm').length).toBe(40);
  });
});
