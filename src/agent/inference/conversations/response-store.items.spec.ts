import { expect, it } from '@jest/globals';
import type { ResponseItem } from '../../../dialects/responses/items.js';
import { ItemFinder } from './response-store.js';

const conversations: readonly ResponseItem[][] = [
  [
    { type: 'message', id: 'msg_1' },
    { type: 'function_call_output', call_id: 'c' },
    { type: 'message', id: 'msg_2' },
  ],
  [{ type: 'message', id: 'msg_3' }],
];

it('finds many items of a conversation by reading it once', () => {
  const looked: string[] = [];
  const finder = new ItemFinder(
    {
      findByItem: (scope, itemId) => {
        looked.push(`${scope} ${itemId}`);
        return conversations.find((items) => items.some(({ id }) => id === itemId));
      },
    },
    'acc_a',
  );
  const found = ['msg_1', 'msg_2', 'msg_3', 'msg_1', 'msg_2'].map((id) => finder.find(id)?.['id']);
  expect(found).toEqual(['msg_1', 'msg_2', 'msg_3', 'msg_1', 'msg_2']);
  expect(finder.find('msg_4')).toBeUndefined();
  expect(looked).toEqual(['acc_a msg_1', 'acc_a msg_3', 'acc_a msg_4']);
});
