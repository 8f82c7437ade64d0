import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../kernel/json-object.js';
import type { Dialect } from '../../kernel/dialect.js';
import type { ResponsesEnvelope } from '../../dialects/responses/envelope.js';
import { requestEcho } from '../../dialects/responses/resource.js';
import { readJson, understand } from './understood-request.js';

const parametersOf = (dialect: Dialect) => ({ dialect, headers: { 'x-session-id': 's' }, bodyBytes: 5_000_000 });
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const tool = { type: 'function', name: 'look', parameters: { type: 'object' } };
const responses: JsonObject = {
  model: 'm',
  input: [{ type: 'item_reference', id: 'msg_1' }],
  tools: [tool],
  metadata: { a: 'b' },
  temperature: 0.5,
  max_output_tokens: 9,
};
const bodies = {
  chat: { model: 'm', messages: [{ role: 'user', content: [image] }], stream: true, max_tokens: 7 },
  completions: { model: 'm', prompt: 'p', max_tokens: 7 },
  messages: { model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 7 },
  responses,
} satisfies Partial<Record<Dialect, JsonObject>>;

describe('envelope read in the parsing worker', () => {
  it.each(['chat', 'completions', 'messages'] as const)(
    '%s: equals the envelope read here, and is transferable',
    (dialect) => {
      const parameters = parametersOf(dialect);
      const sent = structuredClone(readJson(bodies[dialect], parameters));
      expect(sent).toEqual(understand(bodies[dialect], parameters));
      expect(sent.profile.demand.maxOutputTokens).toBe(7);
      expect(sent.envelope).not.toHaveProperty('body');
    },
  );

  it('responses: has the part of the body that a failed answer echoes', () => {
    const parameters = parametersOf('responses');
    const sent = structuredClone(readJson(responses, parameters));
    const { envelope, ...rest } = understand(responses, parameters);
    expect(sent).toMatchObject({ ...rest, envelope: { itemReferences: ['msg_1'] } });
    expect(requestEcho((sent.envelope as ResponsesEnvelope).body)).toEqual(
      requestEcho((envelope as ResponsesEnvelope).body),
    );
  });

  it('responses: omits parts too large to echo', () => {
    const metadata = Object.fromEntries(Array.from({ length: 20_000 }, (_none, index) => [`key${index}`, 'x']));
    const { envelope } = readJson({ ...responses, metadata }, parametersOf('responses'));
    expect(envelope).toMatchObject({ body: {}, itemReferences: ['msg_1'] });
  });

  it('envelope read in the parsing worker is refused with the same message', () => {
    const wrong = { model: 'm', messages: [{ role: 'nobody', content: 'x' }] };
    expect(() => readJson(wrong, parametersOf('chat'))).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'messages[0].role' }),
    );
  });
});
