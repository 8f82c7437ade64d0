import { expect, it } from '@jest/globals';
import { unloadLabel } from './action-labels';
import { placeKey, type Placement } from './placement';

const place = (nodeId: string): Placement =>
  ({ node: { node_id: nodeId }, model: { key: 'ollama/m' } }) as unknown as Placement;

it('has an ellipsis where unloading asks first', () => {
  const [here, there] = [place('here'), place('there')];
  expect(unloadLabel([here], new Set())).toBe('Unload');
  expect(unloadLabel([here], new Set([placeKey(there)]))).toBe('Unload');
  expect(unloadLabel([here], new Set([placeKey(here)]))).toBe('Unload…');
  expect(unloadLabel([here, there], new Set())).toBe('Unload…');
});
