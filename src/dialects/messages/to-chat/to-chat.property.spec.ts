import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../kernel/json-object.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { readMessagesEnvelope } from '../envelope.js';
import { messagesToChat } from './to-chat.js';

/** A text that can be found again. */
const word = fc.uuid();
const text = fc.record({ type: fc.constant('text'), text: word });
const document = fc.record({
  type: fc.constant('document'),
  source: fc.oneof(
    fc.record({ type: fc.constant('text'), data: word }),
    fc.record({ type: fc.constant('content'), content: fc.array(text) }),
  ),
});
const result = fc.record({
  type: fc.constant('tool_result'),
  tool_use_id: fc.constantFrom('t1', 't2'),
  content: fc.oneof(word, fc.array(text)),
});
const call = fc.record({
  type: fc.constant('tool_use'),
  id: fc.constantFrom('t1', 't2'),
  name: fc.constant('f'),
  input: fc.record({ word }),
});
const thinking = fc.record({ type: fc.constant('thinking'), thinking: word, signature: fc.constant('') });
const reported = (blocks: fc.Arbitrary<unknown>) => fc.oneof(word, fc.array(blocks, { maxLength: 5 }));
const message = fc.oneof(
  fc.record({ role: fc.constant('user'), content: reported(fc.oneof(text, document, result)) }),
  fc.record({ role: fc.constant('assistant'), content: reported(fc.oneof(text, call, thinking)) }),
  fc.record({ role: fc.constant('system'), content: reported(text) }),
);
/** Those that results may answer. */
const calls = {
  role: 'assistant',
  content: ['t1', 't2'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })),
};
const request = fc.record({
  model: fc.constant('tiny'),
  max_tokens: fc.constant(1),
  messages: fc.array(message, { minLength: 1, maxLength: 8 }).map((messages) => [calls, ...messages]),
  system: reported(text),
});

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const wordsIn = (value: unknown): string[] => JSON.stringify(value).match(UUID) ?? [];
const messagesOf = (body: JsonObject): JsonObject[] => body['messages'] as JsonObject[];

test('every text of the conversation reaches the engine exactly once', () => {
  fc.assert(
    fc.property(request, (body) => {
      const chat = messagesToChat(readMessagesEnvelope(body), { reasoning: null });
      // Thoughts are written under two names.
      const sent = messagesOf(chat.body).map((message) => ({ ...message, reasoning: null }));
      expect(wordsIn(sent).sort()).toEqual(wordsIn(body).sort());
      expect(chat.dropped).toEqual([]);
    }),
  );
});

test('the chat of a messages request never has two turns of the user in a row, and has a result after every call', () => {
  fc.assert(
    fc.property(request, (body) => {
      const sent = messagesOf(messagesToChat(readMessagesEnvelope(body), { reasoning: null }).body);
      expect(sent.map(({ role }) => role).join(' ')).not.toContain('user user');
      for (const [index, { tool_calls: calls }] of sent.entries()) {
        const rest = sent.slice(index + 1);
        const end = rest.findIndex(({ role }) => role !== 'tool');
        const responded = (end === -1 ? rest : rest.slice(0, end)).map(({ tool_call_id: id }) => id);
        for (const { id } of (calls ?? []) as { id: string }[]) expect(responded).toContain(id);
      }
    }),
  );
});

test('a conversation that grows by whole turns only adds messages', () => {
  const turn = fc.record({ said: word, reminder: fc.option(word), asked: word });
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 4 }), (turns) => {
      const messages = turns.flatMap(({ said: response, reminder, asked }, index) => [
        { role: 'assistant', content: [{ type: 'tool_use', id: `t${index}`, name: response, input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${index}`, content: asked }] },
        ...(reminder === null ? [] : [{ role: 'system', content: reminder }]),
      ]);
      const sent = (count: number): JsonObject[] =>
        messagesOf(
          messagesToChat(
            readMessagesEnvelope({
              model: 'tiny',
              max_tokens: 1,
              messages: [{ role: 'user', content: 'go' }, ...messages.slice(0, count)],
            }),
            { reasoning: null },
          ).body,
        );
      const whole = sent(messages.length);
      for (let count = 0; count < messages.length; count += 1) {
        if (messages[count]?.role !== 'assistant') continue;
        const before = sent(count);
        expect(whole.slice(0, before.length)).toEqual(before);
      }
    }),
  );
});

test('any JSON is refused or translated', () => {
  const block = fc.oneof(
    fc.record({
      type: fc.constantFrom('text', 'image', 'document', 'tool_use', 'tool_result', 'thinking', 'search_result', 'x'),
      text: fc.jsonValue(),
      content: fc.jsonValue(),
      source: fc.record({ type: fc.constantFrom('base64', 'url', 'content', 'text'), data: fc.jsonValue() }),
    }),
    fc.jsonValue(),
  );
  const anything = fc.record(
    {
      model: fc.constant('tiny'),
      max_tokens: fc.constant(1),
      messages: fc.array(fc.record({ role: fc.constantFrom('user', 'assistant', 'system'), content: fc.array(block) })),
      system: fc.jsonValue(),
      tools: fc.jsonValue(),
      thinking: fc.jsonValue(),
      output_config: fc.jsonValue(),
      metadata: fc.jsonValue(),
    },
    { requiredKeys: ['model', 'max_tokens', 'messages'] },
  );
  fc.assert(
    fc.property(anything, (body) => {
      try {
        messagesToChat(readMessagesEnvelope(body), { reasoning: false });
      } catch (error) {
        expect(error).toBeInstanceOf(FerryError);
      }
    }),
    { numRuns: 500 },
  );
});
