import { describe, expect, it } from '@jest/globals';
import type { Operation } from '../../api/operation-state';
import type { Node } from '../../components/node-facts';
import { installedState, installedText, placesOf, type ChatPlace } from './model-choice';

const computer = (name: string, members: Partial<Node> = {}): Node =>
  ({
    name,
    node_id: `nd_${name}`,
    online: true,
    cluster_id: 'cl_a',
    models: [{ selector: 'mdl_1', key: 'one', state: 'installed', reason: null }],
    ...members,
  }) as Node;

const operation = (name: string, state: Operation['state']): Operation =>
  ({
    node_id: `nd_${name}`,
    model_key: 'one',
    kind: 'load',
    state,
    finished_at: new Date().toISOString(),
    dismissed_at: null,
  }) as unknown as Operation;

const placesWith = (nodes: readonly Node[], operations: readonly Operation[] = []): readonly ChatPlace[] =>
  placesOf(nodes, operations, 'mdl_1', 'cl_a');

describe('a model of the chat that is not loaded', () => {
  const three = ['workshop', 'annex', 'studio'].map((name) => computer(name));

  it('says of each computer what its state there is', () => {
    expect(installedText(placesWith(three.slice(0, 2)))).toBe('workshop, annex: not loaded');
    const failed = placesWith(three.slice(0, 2), [operation('annex', 'failed')]);
    expect(installedText(failed)).toBe('workshop: not loaded · annex: load failed');
    expect(installedText(placesWith(three, [operation('studio', 'running')]))).toBe(
      'workshop, annex: not loaded · studio: loading',
    );
  });

  it('hides no failure behind computers that are not named', () => {
    const many = ['a', 'b', 'c', 'd'].map((name) => computer(name));
    expect(installedText(placesWith(many, [operation('d', 'failed')]))).toBe(
      'a, b, 1 more: not loaded · d: load failed',
    );
  });

  it('is marked as failed where a load failed, unless it is being loaded', () => {
    expect(installedState(placesWith(three)).state).toBe('off');
    expect(installedState(placesWith(three, [operation('annex', 'failed')]))).toEqual({
      state: 'failed',
      label: 'Load failed',
    });
    const both = [operation('studio', 'running'), operation('annex', 'failed')];
    expect(installedState(placesWith(three, both)).state).toBe('working');
  });

  it('is asked for only on computers that are online, of the chosen cluster', () => {
    const away = [computer('far', { cluster_id: 'cl_b' }), computer('off', { online: false })];
    expect(installedText(placesWith(away))).toBe('on no computer that is online');
  });
});
