import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { ConversationStore } from './conversation-store.js';
import { ThreadStore } from './thread-store.js';

const thread = (text: string) => ({ system: 'Be brief.', tools: null, messages: [{ role: 'user', content: text }] });
const KIBIBYTE = 1_024;

let clock: ManualClock;
let conversations: ConversationStore;
let threads: ThreadStore;

beforeEach(() => {
  clock = new ManualClock();
  conversations = new ConversationStore({ maxBytes: 64 * KIBIBYTE, maxAgeMs: 60_000, clock });
  threads = new ThreadStore(conversations);
});

const faultOf = (messageId: string, scope = 'acc_a'): string | null => {
  try {
    threads.find(scope, messageId);
  } catch (error) {
    if (!(error instanceof FerryError)) throw error;
    expect(error).toMatchObject({
      param: 'thread.previous_message_id',
      status: error.code === 'thread_not_found' ? 404 : 400,
    });
    return error.code;
  }
  return null;
};

describe('a thread', () => {
  it('a thread is found by the id of its last answer, in its own scope only', () => {
    threads.keep('acc_a', 'msg_1', thread('Hello'));
    expect(threads.find('acc_a', 'msg_1')).toEqual(thread('Hello'));
    expect(faultOf('msg_1', 'acc_b')).toBe('thread_not_found');
    expect(faultOf('msg_2')).toBe('thread_not_found');
  });

  it('a thread is continued by one request at a time', () => {
    threads.keep('acc_a', 'msg_1', thread('Hello'));
    threads.held('acc_a', 'msg_1');
    expect(faultOf('msg_1')).toBe('thread_continue_in_flight');
    threads.released('acc_a', 'msg_1');
    expect(faultOf('msg_1')).toBeNull();
  });

  it('a thread of another scope is not held by a request that continues an answer of the same id', () => {
    threads.keep('acc_a', 'msg_1', thread('Hello'));
    threads.keep('acc_b', 'msg_1', thread('Hello'));
    threads.held('acc_a', 'msg_1');
    expect(faultOf('msg_1', 'acc_b')).toBeNull();
  });

  it('a thread is continued once from each answer, which frees what it takes', () => {
    threads.keep('acc_a', 'msg_1', thread('x'.repeat(10 * KIBIBYTE)));
    threads.held('acc_a', 'msg_1');
    threads.continued('acc_a', 'msg_1');
    threads.released('acc_a', 'msg_1');
    expect(faultOf('msg_1')).toBe('thread_already_continued');
    expect(conversations.bytes).toBeLessThan(KIBIBYTE);
  });

  it('expires, and what was continued is then not known any more', () => {
    threads.keep('acc_a', 'msg_1', thread('Hello'));
    threads.continued('acc_a', 'msg_1');
    threads.keep('acc_a', 'msg_2', thread('Hello'));
    clock.advance(60_000);
    expect([faultOf('msg_1'), faultOf('msg_2')]).toEqual(['thread_not_found', 'thread_not_found']);
  });

  it('a thread is refused where it can never fit', () => {
    expect(threads.fits(63 * KIBIBYTE)).toBe(true);
    expect(threads.fits(64 * KIBIBYTE)).toBe(false);
    const none = new ThreadStore(new ConversationStore({ maxBytes: 0, maxAgeMs: 60_000, clock }));
    expect(none.fits(0)).toBe(false);
  });
});
