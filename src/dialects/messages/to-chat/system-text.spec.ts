import { describe, expect, it } from '@jest/globals';
import { readMessagesEnvelope } from '../envelope.js';
import { messagesToChat, type TranslatedRequest } from './to-chat.js';

const translate = (fields: object): TranslatedRequest =>
  messagesToChat(readMessagesEnvelope({ model: 'tiny', max_tokens: 16, ...fields }), { reasoning: null });
const conversation = (...messages: object[]): unknown => translate({ messages }).body['messages'];
const hi = { role: 'user', content: 'hi' };
const user = (...content: unknown[]): object => ({ role: 'user', content });
const assistant = (...content: unknown[]): object => ({ role: 'assistant', content });
const text = (words: string): object => ({ type: 'text', text: words });

describe('system texts within the conversation', () => {
  const reminder = (left: number): object => ({ role: 'system', content: `${left} tokens left` });
  const called = (id: string): object => assistant({ type: 'tool_use', id, name: 'run', input: {} });
  const responded = (id: string): object => user({ type: 'tool_result', tool_use_id: id, content: id });
  const firstTurn = [hi, called('t1'), responded('t1'), reminder(90)];
  const secondTurn = [...firstTurn, called('t2'), responded('t2'), reminder(80)];

  it('system texts within the conversation stay in place, so that the next turn only adds to what the engine has read', () => {
    const [before, after] = [firstTurn, secondTurn].map(
      (messages) => translate({ system: 's', messages }).body['messages'],
    );
    expect((after as unknown[]).slice(0, (before as unknown[]).length)).toEqual(before);
    expect((before as unknown[]).at(-1)).toEqual({ role: 'system', content: '90 tokens left' });
  });

  it('move behind the result of a call', () => {
    expect(conversation(hi, called('t1'), reminder(90), responded('t1'))).toEqual([
      hi,
      expect.objectContaining({ role: 'assistant' }),
      { role: 'tool', tool_call_id: 't1', content: 't1' },
      { role: 'system', content: '90 tokens left' },
    ]);
  });

  it('system texts within the conversation are text of the user where the template takes no second system message', () => {
    const messages = [hi, reminder(90), user(text('go on'))];
    const envelope = readMessagesEnvelope({ model: 'tiny', max_tokens: 16, messages });
    const { body, changed } = messagesToChat(envelope, { reasoning: null, laterSystem: 'user' });
    expect(body['messages']).toEqual([{ role: 'user', content: 'hi\n\n90 tokens left\n\ngo on' }]);
    expect(changed).toEqual(['messages[1].content']);
  });

  it('system texts within the conversation may be a block of the turn of the user, and are reported', () => {
    const block = { type: 'mid_conv_system', content: [text('Plan mode is on.')] };
    const { body, changed, dropped } = translate({
      messages: [user(text('a'), block, text('b'), { type: 'a_new_block' })],
    });
    expect(body['messages']).toEqual([
      { role: 'user', content: 'a' },
      { role: 'system', content: 'Plan mode is on.' },
      { role: 'user', content: 'b' },
    ]);
    expect([changed, dropped]).toEqual([['messages[0].content[1]'], ['messages[0].content[3]']]);
  });
});
