import { describe, expect, test } from '@jest/globals';
import { createAccountId, createNodeId } from './ids.js';
import { createItemId, nodeOfItem, ResponseIds } from './response-id.js';

const secret = 'a secret that is long enough for anybody';
const ids = new ResponseIds(secret);
const account = createAccountId();
const node = createNodeId();

describe('the id of a response', () => {
  test('leads its account to the node, on every replica with the same secret', () => {
    const id = ids.create(account, node);
    expect(id).toMatch(/^resp_[0-9a-f]{80}$/);
    expect(new ResponseIds(secret).nodeOf(account, id)).toBe(node);
  });

  test('is another one each time', () => {
    expect(ids.create(account, node)).not.toBe(ids.create(account, node));
  });

  test("leads nobody else anywhere: not another account, not with another relay's secret", () => {
    const id = ids.create(account, node);
    expect(ids.nodeOf(createAccountId(), id)).toBeUndefined();
    expect(new ResponseIds(`${secret}.`).nodeOf(account, id)).toBeUndefined();
  });

  test('is void when a single character is another one, wherever it stands', () => {
    const id = ids.create(account, node);
    const others = Array.from('0123456789abcdefAF_g');
    for (let at = 0; at < id.length; at += 1) {
      for (const other of others) {
        if (other === id[at]) continue;
        expect(ids.nodeOf(account, id.slice(0, at) + other + id.slice(at + 1))).toBeUndefined();
      }
    }
  });

  test('is void when cut, extended or spelled in another way', () => {
    const id = ids.create(account, node);
    for (let length = 0; length < id.length; length += 1)
      expect(ids.nodeOf(account, id.slice(0, length))).toBeUndefined();
    for (const text of [`${id}0`, `${id}\n`, ` ${id}`, id.toUpperCase(), `resp_${'0'.repeat(80)}`, 'resp_123', '\0']) {
      expect(ids.nodeOf(account, text)).toBeUndefined();
    }
  });

  test('of one node cannot be moved to another', () => {
    const [id, other] = [ids.create(account, node), ids.create(account, createNodeId())];
    expect(ids.nodeOf(account, other.slice(0, 37) + id.slice(37))).toBeUndefined();
  });
});

describe('the id of an item', () => {
  test('hints at the node of its response, within 64 characters', () => {
    const id = createItemId('msg', ids.create(account, node));
    expect(id).toMatch(/^msg_[0-9a-f]{56}$/);
    expect(nodeOfItem(id)).toBe(node);
    expect(createItemId('msg', ids.create(account, node))).not.toBe(id);
  });

  test('hints at nothing where the response was not named by a relay', () => {
    const id = createItemId('rs', 'resp_local');
    expect(id).toMatch(/^rs_[0-9a-f]{56}$/);
    expect(nodeOfItem(id)).not.toBe(node);
  });

  test.each(['', 'msg_123', 'msg_', `msg_${'0'.repeat(57)}`, `MSG_${'0'.repeat(56)}`, `msg_${'g'.repeat(56)}`])(
    'of somebody else hints at nothing: %j',
    (id) => {
      expect(nodeOfItem(id)).toBeUndefined();
    },
  );
});
