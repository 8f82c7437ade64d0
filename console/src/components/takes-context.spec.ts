import { expect, it } from '@jest/globals';
import type { Node } from './node-facts';
import { takesContext } from './takes-context';

const node = (kind: string): Node =>
  ({
    node_id: 'nd_1',
    engines: [{ name: 'one', kind }],
    models: [{ selector: 'mdl_1', display_name: 'tiny', engine: 'one' }],
  }) as unknown as Node;

it('is known of the built-in engine only, and of no computer that is gone', () => {
  expect(takesContext([node('llamacpp')], 'nd_1', 'mdl_1')).toBe(true);
  expect(takesContext([node('llamacpp')], 'nd_1', 'tiny')).toBe(true);
  expect(takesContext([node('openai-compatible')], 'nd_1', 'mdl_1')).toBe(false);
  expect(takesContext([node('llamacpp')], 'nd_2', 'mdl_1')).toBe(false);
  expect(takesContext(undefined, 'nd_1', 'mdl_1')).toBe(false);
});
