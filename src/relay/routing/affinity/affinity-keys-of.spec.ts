import { describe, expect, test } from '@jest/globals';
import type { Dialect } from '../../../kernel/dialect.js';
import type { JsonObject } from '../../../kernel/json-object.js';
import { affinityKeysOf } from './affinity-keys-of.js';

const chat = (...messages: readonly [string, unknown][]) => ({
  messages: messages.map(([role, content]) => ({ role, content })),
});
const first = chat(['system', 'Be brief.'], ['user', 'Hello']);

describe('affinity keys of a conversation', () => {
  test('affinity keys of a conversation are equal for a later turn', () => {
    const later = chat(['system', 'Be brief.'], ['user', 'Hello'], ['assistant', 'Hi.'], ['user', 'And now?']);
    expect(affinityKeysOf({}, 'chat', later)).toEqual(affinityKeysOf({}, 'chat', first));
  });

  test('differ for another question under the same system prompt', () => {
    const other = affinityKeysOf({}, 'chat', chat(['system', 'Be brief.'], ['user', 'Good day']));
    expect(other.opening).not.toBe(affinityKeysOf({}, 'chat', first).opening);
  });

  test.each(['x-session-id', 'session_id', 'session-id'])(
    'affinity keys of a conversation use the session in the header %s',
    (name) => {
      const keys = affinityKeysOf({ [name]: 'abc' }, 'chat', first);
      expect(keys).toMatchObject({ opening: null, session: expect.stringMatching(/^.{20,}$/) });
      expect(keys.session).toBe(affinityKeysOf({ [name]: 'abc' }, 'chat', chat(['user', 'else'])).session);
    },
  );

  test("otherwise use prompt_cache_key or the session in Claude Code's user id", () => {
    expect(affinityKeysOf({}, 'responses', { input: 'x', prompt_cache_key: 'k' }).session).not.toBeNull();
    const metadata = { user_id: 'user_1_account__session_2' };
    expect(affinityKeysOf({}, 'messages', { ...first, metadata }).session).not.toBeNull();
    // An end user holds many conversations.
    expect(affinityKeysOf({}, 'messages', { ...first, metadata: { user_id: 'someone' } }).session).toBeNull();
  });

  test('affinity keys of a conversation exist for every dialect', () => {
    const bodies = [
      affinityKeysOf({}, 'messages', { system: [{ type: 'text', text: 'S' }], messages: first.messages }),
      affinityKeysOf({}, 'responses', { instructions: 'S', input: 'question' }),
      affinityKeysOf({}, 'responses', { input: [{ role: 'user', content: [{ type: 'input_text', text: 'q' }] }] }),
      affinityKeysOf({}, 'completions', { prompt: 'Once' }),
    ];
    for (const { opening } of bodies) expect(opening).not.toBeNull();
  });

  test('contain no client content', () => {
    const keys = affinityKeysOf({ 'x-session-id': 'secret' }, 'chat', first);
    expect(JSON.stringify(keys)).not.toMatch(/secret|Hello|brief/);
  });

  test.each([{}, { messages: null }, { messages: [1, 'a', null] }, { messages: [{ role: 'user' }] }])(
    'tolerate %j',
    (body) => {
      expect(affinityKeysOf({}, 'chat', body)).toEqual({ session: null, opening: null, prefixes: [] });
    },
  );

  test('affinity keys of a conversation have no prefixes for a short prompt', () => {
    expect(affinityKeysOf({}, 'chat', first).prefixes).toEqual([]);
  });
});

describe('prefixes of a prompt', () => {
  const document = 'Ferries cross the fjord. '.repeat(100);
  const hashesOf = (dialect: Dialect, body: JsonObject): string[] =>
    affinityKeysOf({}, dialect, body).prefixes.map(({ hash }) => hash);
  const sharedTokens = (one: JsonObject, other: JsonObject, dialect: Dialect = 'chat'): number => {
    const hashes = hashesOf(dialect, one);
    return affinityKeysOf({}, dialect, other).prefixes.find(({ hash }) => hashes.includes(hash))?.tokens ?? 0;
  };

  test('prefixes of a prompt are shared by questions about the same document', () => {
    const question = (text: string) => chat(['user', `${document}${text}`]);
    // 2,500 common characters: the longest step below is 2,048.
    expect(sharedTokens(question('How many?'), question('Which ones?'))).toBe(512);
    expect(sharedTokens(question(''), chat(['user', `Please: ${document}`]))).toBe(0);
  });

  test('prefixes of a prompt are shared by a later turn, also over several messages', () => {
    const turn = chat(['system', 'Be brief.'], ['user', document]);
    const later = chat(['system', 'Be brief.'], ['user', document], ['assistant', document], ['user', 'And now?']);
    expect(sharedTokens(turn, later)).toBe(512);
    expect(hashesOf('chat', later)[0]).not.toBe(hashesOf('chat', turn)[0]);
  });

  test('prefixes of a prompt are the same however a content is divided into parts, and differ where the messages do', () => {
    const parts = [document.slice(0, 700), document.slice(700)].map((text) => ({ type: 'text', text }));
    expect(hashesOf('chat', chat(['user', parts]))).toEqual(hashesOf('chat', chat(['user', document])));
    const divided = chat(['user', document.slice(0, 400)], ['user', document.slice(400)]);
    expect(hashesOf('chat', divided)[0]).not.toBe(hashesOf('chat', chat(['user', document]))[0]);
    expect(sharedTokens(chat(['user', [{ type: 'image_url' }, ...parts]]), chat(['user', parts]))).toBe(0);
  });

  test.each<[Dialect, JsonObject, JsonObject]>([
    ['messages', { system: document, messages: [] }, { system: [{ type: 'text', text: document }], messages: [] }],
    ['responses', { instructions: document, input: 'a' }, { instructions: document, input: 'b' }],
    ['completions', { prompt: `${document}a` }, { prompt: `${document}b` }],
  ])('prefixes of a prompt exist for %s', (dialect, one, other) => {
    expect(sharedTokens(one, other, dialect)).toBe(512);
  });

  test('prefixes of a prompt are few for a long prompt', () => {
    const { prefixes } = affinityKeysOf({}, 'completions', { prompt: 'x'.repeat(1_000_000) });
    expect(prefixes).toHaveLength(12);
    expect(prefixes[0]?.tokens).toBe(8_192);
  });
});
