import { expect, test } from '@jest/globals';
import { NodeLoad } from './node-load.js';

test('engines of a node are counted apart, and it is empty when none has a request', () => {
  const load = new NodeLoad('a');
  expect(load.isEmpty).toBe(true);
  load.change('b', 1);
  load.change('a', 1);
  load.change('b', 1);
  expect([load.at('a'), load.at('b'), load.at('c')]).toEqual([1, 2, 0]);
  load.change('a', -1);
  load.change('b', -1);
  expect([load.isEmpty, load.at('a'), load.at('b')]).toEqual([false, 0, 1]);
  load.change('b', -1);
  expect(load.isEmpty).toBe(true);
});
