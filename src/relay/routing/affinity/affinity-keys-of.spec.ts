import { describe, expect, test } from '@jest/globals';
import { affinityKeysOf } from './affinity-keys-of.js';

const chat = (...messages: readonly [string, unknown][]) => ({
  messages: messages.map(([role, content]) => ({ role, content })),
});
const first = chat(['system', 'Be brief.'], ['user', 'Hello']);

describe('affinity keys of a conversation', () => {
  test('are equal for a later turn', () => {
    const later = chat(['system', 'Be brief.'], ['user', 'Hello'], ['assistant', 'Hi.'], ['user', 'And now?']);
    expect(affinityKeysOf({}, 'chat', later)).toEqual(affinityKeysOf({}, 'chat', first));
  });

  test('differ for another question under the same system prompt', () => {
    const other = affinityKeysOf({}, 'chat', chat(['system', 'Be brief.'], ['user', 'Good day']));
    const { opening, system } = affinityKeysOf({}, 'chat', first);
    expect(other.system).toBe(system);
    expect(other.opening).not.toBe(opening);
  });

  test.each(['x-session-id', 'session_id', 'session-id'])('use the session in the header %s', (name) => {
    const keys = affinityKeysOf({ [name]: 'abc' }, 'chat', first);
    expect(keys).toMatchObject({ opening: null, session: expect.stringMatching(/^.{20,}$/) });
    expect(keys.session).toBe(affinityKeysOf({ [name]: 'abc' }, 'chat', chat(['user', 'else'])).session);
  });

  test("otherwise use prompt_cache_key or the session in Claude Code's user id", () => {
    expect(affinityKeysOf({}, 'responses', { input: 'x', prompt_cache_key: 'k' }).session).not.toBeNull();
    const metadata = { user_id: 'user_1_account__session_2' };
    expect(affinityKeysOf({}, 'messages', { ...first, metadata }).session).not.toBeNull();
    // An end user holds many conversations.
    expect(affinityKeysOf({}, 'messages', { ...first, metadata: { user_id: 'someone' } }).session).toBeNull();
  });

  test('exist for every dialect', () => {
    const bodies = [
      affinityKeysOf({}, 'messages', { system: [{ type: 'text', text: 'S' }], messages: first.messages }),
      affinityKeysOf({}, 'responses', { instructions: 'S', input: 'question' }),
      affinityKeysOf({}, 'responses', { input: [{ role: 'user', content: [{ type: 'input_text', text: 'q' }] }] }),
      affinityKeysOf({}, 'completions', { prompt: 'Once' }),
    ];
    for (const { opening } of bodies) expect(opening).not.toBeNull();
    expect(bodies.map(({ system }) => system !== null)).toEqual([true, true, false, false]);
  });

  test('contain no client content', () => {
    const keys = affinityKeysOf({ 'x-session-id': 'secret' }, 'chat', first);
    expect(JSON.stringify(keys)).not.toMatch(/secret|Hello|brief/);
  });

  test.each([{}, { messages: null }, { messages: [1, 'a', null] }, { messages: [{ role: 'user' }] }])(
    'tolerate %j',
    (body) => {
      expect(affinityKeysOf({}, 'chat', body)).toEqual({ session: null, opening: null, system: null, systemTokens: 0 });
    },
  );
});
