import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import type { ResponseItem } from '../../../dialects/responses/items.js';
import { ConversationStore } from './conversation-store.js';
import { ResponseStore } from './response-store.js';

const message = (id: string, text = id): ResponseItem => ({ type: 'message', id, role: 'user', content: text });
const KIBIBYTE = 1_024;

let clock: ManualClock;
let conversations: ConversationStore;
let store: ResponseStore;

const storeOf = (maxBytes: number): ResponseStore => {
  conversations = new ConversationStore({ maxBytes, maxAgeMs: 60_000, clock });
  return new ResponseStore(conversations);
};

beforeEach(() => {
  clock = new ManualClock();
  store = storeOf(64 * KIBIBYTE);
});

describe('a kept conversation', () => {
  it('a kept conversation is found under the id of its answer, item by item, as often as it is asked for', () => {
    const items = [message('msg_1'), message('msg_2', 'ä"\u0000👋')];
    store.keep('acc_a', 'resp_1', items);
    expect(store.find('acc_a', 'resp_1')).toEqual(items);
    expect(store.find('acc_a', 'resp_1')).toEqual(items);
  });

  it('a kept conversation is isolated from later changes by its callers', () => {
    const item = { ...message('msg_1'), content: 'as kept' };
    store.keep('acc_a', 'resp_1', [item]);
    item.content = 'changed';
    (store.find('acc_a', 'resp_1') as unknown as { content: string }[])[0]!.content = 'changed';
    expect(store.find('acc_a', 'resp_1')).toEqual([message('msg_1', 'as kept')]);
  });

  it('a kept conversation is replaced under the same id and counted once', () => {
    store.keep('acc_a', 'resp_1', [message('msg_1')]);
    const { bytes } = conversations;
    store.keep('acc_a', 'resp_1', [message('msg_2')]);
    expect(conversations.bytes).toBe(bytes);
    expect(store.find('acc_a', 'resp_1')).toEqual([message('msg_2')]);
    expect(store.findByItem('acc_a', 'msg_1')).toBeUndefined();
  });

  it('a kept conversation does not depend on the conversation that it continues', () => {
    store = storeOf(3 * KIBIBYTE);
    store.keep('acc_a', 'resp_1', [message('msg_1', 'x'.repeat(KIBIBYTE))]);
    store.keep('acc_a', 'resp_2', [message('msg_1', 'x'.repeat(KIBIBYTE)), message('msg_2')]);
    expect(store.find('acc_a', 'resp_1')).toBeUndefined();
    expect(store.find('acc_a', 'resp_2')).toHaveLength(2);
  });
});

describe('a scope', () => {
  beforeEach(() => {
    store.keep('acc_a', 'resp_1', [message('msg_1')]);
  });

  it('never sees responses or items of another one', () => {
    expect(store.find('acc_b', 'resp_1')).toBeUndefined();
    expect(store.findByItem('acc_b', 'msg_1')).toBeUndefined();
    expect(store.find('', 'resp_1')).toBeUndefined();
  });

  it('a scope cannot be forged in an id', () => {
    store.keep('acc', '_a","resp_2', [message('msg_2')]);
    expect(store.find('acc","_a', 'resp_2')).toBeUndefined();
    expect(store.find('acc_a', 'resp_2')).toBeUndefined();
  });

  it('keeps its own response of the same id', () => {
    store.keep('acc_b', 'resp_1', [message('msg_b')]);
    expect(store.find('acc_a', 'resp_1')).toEqual([message('msg_1')]);
    expect(store.find('acc_b', 'resp_1')).toEqual([message('msg_b')]);
  });
});

describe('an item of a kept conversation', () => {
  it('resolves to its conversation from any position', () => {
    store.keep('acc_a', 'resp_1', [message('msg_1'), message('msg_2')]);
    store.keep('acc_a', 'resp_2', [message('msg_3')]);
    expect(store.findByItem('acc_a', 'msg_2')).toEqual([message('msg_1'), message('msg_2')]);
    expect(store.findByItem('acc_a', 'msg_3')).toEqual([message('msg_3')]);
    expect(store.findByItem('acc_a', 'msg_4')).toBeUndefined();
  });

  it('resolves to the remaining one when one of two conversations has expired', () => {
    store.keep('acc_a', 'resp_1', [message('msg_1')]);
    clock.advance(30_000);
    store.keep('acc_a', 'resp_2', [message('msg_1'), message('msg_2')]);
    clock.advance(30_000);
    expect(store.findByItem('acc_a', 'msg_1')).toEqual([message('msg_1'), message('msg_2')]);
    expect(conversations.size).toBe(1);
  });

  it('an item of a kept conversation may be without an id', () => {
    store.keep('acc_a', 'resp_1', [{ type: 'function_call_output', call_id: 'c', output: 'x' }]);
    expect(store.find('acc_a', 'resp_1')).toHaveLength(1);
  });
});

describe('the limit in bytes', () => {
  it('the limit in bytes is never exceeded: the least recently used entries are evicted', () => {
    store = storeOf(8 * KIBIBYTE);
    for (let index = 0; index < 100; index += 1) {
      store.keep('acc_a', `resp_${String(index)}`, [message(`msg_${String(index)}`, 'x'.repeat((index % 7) * 300))]);
      expect(conversations.bytes).toBeLessThanOrEqual(8 * KIBIBYTE);
      // The first is asked for each time, and so outlives the others.
      expect(store.find('acc_a', 'resp_0')).toBeDefined();
    }
    expect(store.find('acc_a', 'resp_1')).toBeUndefined();
    expect(store.find('acc_a', 'resp_99')).toBeDefined();
    expect(conversations.size).toBeGreaterThan(2);
  });

  it('counts the overhead of small entries', () => {
    store = storeOf(64 * KIBIBYTE);
    for (let index = 0; index < 1_000; index += 1) store.keep('acc_a', `resp_${String(index)}`, []);
    expect(conversations.size).toBeLessThanOrEqual(128);
  });

  it('rejects an entry that does not fit, without evicting others', () => {
    store.keep('acc_a', 'resp_1', [message('msg_1')]);
    store.keep('acc_a', 'resp_2', [message('msg_2', 'x'.repeat(64 * KIBIBYTE))]);
    expect(store.find('acc_a', 'resp_2')).toBeUndefined();
    expect(store.find('acc_a', 'resp_1')).toBeDefined();
  });

  it('a limit of zero bytes keeps nothing', () => {
    store = storeOf(0);
    store.keep('acc_a', 'resp_1', []);
    expect([conversations.size, conversations.bytes]).toEqual([0, 0]);
  });
});

describe('the limit in age', () => {
  it('counts from the answer, not from the last use', () => {
    store.keep('acc_a', 'resp_1', [message('msg_1')]);
    clock.advance(59_999);
    expect(store.find('acc_a', 'resp_1')).toBeDefined();
    clock.advance(1);
    expect(store.find('acc_a', 'resp_1')).toBeUndefined();
    expect([conversations.size, conversations.bytes]).toEqual([0, 0]);
  });

  it('frees expired entries without further requests', () => {
    store.keep('acc_a', 'resp_1', [message('msg_1')]);
    clock.advance(30_000);
    store.keep('acc_a', 'resp_2', [message('msg_2')]);
    clock.advance(30_000);
    conversations.forgetExpired();
    expect(conversations.size).toBe(1);
    expect(store.find('acc_a', 'resp_2')).toBeDefined();
    clock.advance(60_000);
    store.keep('acc_a', 'resp_3', []);
    expect(conversations.size).toBe(1);
  });
});
