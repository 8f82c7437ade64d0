import { describe, expect, test } from '@jest/globals';
import { createAccountId, createNodeId } from './ids.js';
import { createItemId, nodeOfItem, ResponseIds } from './response-id.js';

const secret = 'a secret that is long enough for anybody';
const ids = new ResponseIds(secret);
const account = createAccountId();
const node = createNodeId();

describe('the id of a response', () => {
  test('resolves to the node for its account, on every replica with the same secret', () => {
    const id = ids.create(account, node);
    expect(id).toMatch(/^resp_[0-9a-f]{80}$/);
    expect(new ResponseIds(secret).nodeOf(account, id)).toBe(node);
  });

  test('the id of a response is unique', () => {
    expect(ids.create(account, node)).not.toBe(ids.create(account, node));
  });

  test('the id of a response does not resolve for another account or with another secret', () => {
    const id = ids.create(account, node);
    expect(ids.nodeOf(createAccountId(), id)).toBeUndefined();
    expect(new ResponseIds(`${secret}.`).nodeOf(account, id)).toBeUndefined();
  });

  test('the id of a response is invalid when any single character is changed', () => {
    const id = ids.create(account, node);
    const others = Array.from('0123456789abcdefAF_g');
    for (let at = 0; at < id.length; at += 1) {
      for (const other of others) {
        if (other === id[at]) continue;
        expect(ids.nodeOf(account, id.slice(0, at) + other + id.slice(at + 1))).toBeUndefined();
      }
    }
  });

  test('the id of a response is invalid when cut, extended or re-encoded', () => {
    const id = ids.create(account, node);
    for (let length = 0; length < id.length; length += 1)
      expect(ids.nodeOf(account, id.slice(0, length))).toBeUndefined();
    for (const text of [`${id}0`, `${id}\n`, ` ${id}`, id.toUpperCase(), `resp_${'0'.repeat(80)}`, 'resp_123', '\0']) {
      expect(ids.nodeOf(account, text)).toBeUndefined();
    }
  });

  test('the id of a response of one node cannot be rewritten for another', () => {
    const [id, other] = [ids.create(account, node), ids.create(account, createNodeId())];
    expect(ids.nodeOf(account, other.slice(0, 37) + id.slice(37))).toBeUndefined();
  });
});

describe('the id of a message of a thread', () => {
  const threads = new ResponseIds(secret, 'msg_');

  test('resolves to the node for its account', () => {
    const id = threads.create(account, node);
    expect(id).toMatch(/^msg_[0-9a-f]{80}$/);
    expect(threads.nodeOf(account, id)).toBe(node);
    expect(threads.nodeOf(createAccountId(), id)).toBeUndefined();
  });

  test('the id of a message of a thread is no id of a response, nor the other way round, also with the other beginning', () => {
    const [message, response] = [threads.create(account, node), ids.create(account, node)];
    for (const id of [message, message.replace('msg_', 'resp_')]) expect(ids.nodeOf(account, id)).toBeUndefined();
    for (const id of [response, response.replace('resp_', 'msg_')]) expect(threads.nodeOf(account, id)).toBeUndefined();
  });
});

describe('the id of an item', () => {
  test('hints at the node of its response, within 64 characters', () => {
    const id = createItemId('msg', ids.create(account, node));
    expect(id).toMatch(/^msg_[0-9a-f]{56}$/);
    expect(nodeOfItem(id)).toBe(node);
    expect(createItemId('msg', ids.create(account, node))).not.toBe(id);
  });

  test("the id of an item has no hint when the response id is not a relay's", () => {
    const id = createItemId('rs', 'resp_local');
    expect(id).toMatch(/^rs_[0-9a-f]{56}$/);
    expect(nodeOfItem(id)).not.toBe(node);
  });

  test.each(['', 'msg_123', 'msg_', `msg_${'0'.repeat(57)}`, `MSG_${'0'.repeat(56)}`, `msg_${'g'.repeat(56)}`])(
    'the id of an item has no hint in a foreign format: %j',
    (id) => {
      expect(nodeOfItem(id)).toBeUndefined();
    },
  );
});
