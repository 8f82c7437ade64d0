import { describe, expect, test } from '@jest/globals';
import { createAccountId, createNodeId } from '../../kernel/ids.js';
import { createItemId, ResponseIds } from '../../kernel/response-id.js';
import { continuationOf } from './continuation.js';

const ids = new ResponseIds('a secret that is long enough for anybody');
const account = createAccountId();
const [node, otherNode] = [createNodeId(), createNodeId()];
const response = ids.create(account, node);
const item = createItemId('msg', response);
const otherItem = createItemId('fc', ids.create(account, otherNode));

const continuing = (previousResponseId: string | null, ...itemReferences: string[]) =>
  continuationOf({ previousResponseId, itemReferences }, account, ids);

describe('a responses request', () => {
  test('a responses request with its whole conversation may go to any node', () => {
    expect(continuing(null)).toBeUndefined();
  });

  test('a responses request that continues a response goes to its node', () => {
    expect(continuing(response)).toEqual({ pinnedNode: node, param: 'previous_response_id' });
    expect(continuing(response, otherItem)).toMatchObject({ pinnedNode: node });
  });

  test.each([
    ['a foreign response', ids.create(createAccountId(), node)],
    ['an invented one', 'resp_123'],
    ['nothing', ''],
  ])('a responses request that continues %s is 404', (_, id) => {
    expect(continuing(id)).toEqual({ pinnedNode: null, param: 'previous_response_id' });
    expect(continuing(id, item)).toMatchObject({ pinnedNode: null });
  });

  test('a responses request that repeats items by their ids goes to the node that has them', () => {
    expect(continuing(null, item, createItemId('rs', response))).toEqual({ pinnedNode: node, param: 'input' });
  });

  test('a responses request that repeats items of several nodes is 404', () => {
    for (const references of [['msg_123'], [item, otherItem], [item, 'msg_123']]) {
      expect(continuing(null, ...references)).toEqual({ pinnedNode: null, param: 'input' });
    }
  });
});
