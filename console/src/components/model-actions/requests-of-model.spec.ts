import { expect, it } from '@jest/globals';
import type { Node, NodeModel } from '../node-facts';
import { requestsOf } from './requests-of-model';

const model = (members: Partial<NodeModel>): NodeModel =>
  ({ key: 'ollama/m', selector: 'mdl_1', display_name: 'm', ...members }) as NodeModel;

it('requests of a model are those on its computer that do not name another model there', () => {
  const own = model({});
  const other = model({ key: 'ollama/other', selector: 'mdl_2', display_name: 'Other' });
  const there = { node_id: 'one', models: [own, other] } as unknown as Node;
  const running = [
    { node_id: 'one', model: 'MDL_1' },
    { node_id: 'one', model: 'a new name' },
    { node_id: 'one', model: 'other' },
    { node_id: 'two', model: 'm' },
    { node_id: null, model: 'm' },
  ];
  expect(requestsOf({ node: there, model: own, operation: undefined, failure: undefined }, running)).toEqual(
    running.slice(0, 2),
  );
});
