/** Sends the requests of the OpenAPI document through a relay and a node, and validates the responses against its schemas. */
import { describe, expect, it } from '@jest/globals';
import type { OpenApiDocument } from '../../src/relay/openapi/inference/openapi-document.js';
import { contractProtocols } from '../../src/dialects/protocols.js';
import { eventsIn } from '../support/client/documented-events.js';
import { DocumentedSchemas } from '../support/client/documented-schemas.js';
import { shareDeployment } from '../support/process/shared-deployment.js';
import type { TestRelay } from '../support/process/test-relay.js';

const documented = await Promise.all(
  contractProtocols.map(async (protocol) => [protocol.path, protocol.errors, await protocol.document()] as const),
);

/** The built-in model does not support images. */
const beyondTiny = ['image'];

describe('the examples of the OpenAPI document', () => {
  let relay: TestRelay;
  let schemas: DocumentedSchemas;

  shareDeployment(async (started) => {
    ({ relay } = started);
    const document = (await (await fetch(`${relay.baseUrl}/openapi.json`)).json()) as OpenApiDocument;
    expect(document['servers']).toMatchObject([{ url: relay.baseUrl }]);
    schemas = new DocumentedSchemas(document);
  });

  const problems = (component: string, value: unknown): string[] => schemas.problemsOf(schemas.ref(component), value);

  const send = async (path: string, body: object): Promise<{ response: Response; text: string }> => {
    const response = await relay.fetch(path, { method: 'POST', body: JSON.stringify(body) });
    const text = await response.text();
    return { response, text };
  };

  it('the examples of the OpenAPI document list the models as documented', async () => {
    const response = await relay.fetch('/v1/models');
    const inventory = (await response.json()) as { data: unknown[] };
    expect(inventory.data).toHaveLength(1);
    expect(problems('ModelList', inventory)).toEqual([]);
  });

  describe.each(documented)('%s', (path, errors, { requests, schemas: names }) => {
    const examples = Object.entries(requests);
    const served = examples.filter(([name]) => !beyondTiny.includes(name));
    const refused = examples.filter(([name]) => beyondTiny.includes(name));

    it.each(served)('%s: the response is valid', async (_name, { value }) => {
      const { response, text } = await send(path, value);
      expect([response.status, response.ok ? '' : text]).toEqual([200, '']);
      expect(response.headers.get('x-request-id')).toBe(response.headers.get('request-id'));
      expect(response.headers.get('x-ferry-translation')).toMatch(/^(native|translated(; dropped=[^;]+)?)$/);
      if (value['stream'] !== true) {
        expect(response.headers.get('content-type')).toMatch(/^application\/json/);
        expect(problems(names.answer, JSON.parse(text))).toEqual([]);
        return;
      }
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
      const { events, done } = eventsIn(text);
      expect(events.length).toBeGreaterThan(1);
      for (const event of events) expect(problems(names.event ?? '', event)).toEqual([]);
      expect(done).toBe(path !== '/v1/messages');
    });

    if (refused.length > 0) {
      it.each(refused)('%s: is refused as documented', async (_name, { value }) => {
        const { response, text } = await send(path, value);
        expect(response.status).toBe(400);
        expect(text).toContain('unsupported_capability');
        expect(problems(errors === 'anthropic' ? 'AnthropicError' : 'OpenAIError', JSON.parse(text))).toEqual([]);
      });
    }

    it('answers a body without a model as documented', async () => {
      const { response, text } = await send(path, {});
      expect(response.status).toBe(400);
      expect(problems(errors === 'anthropic' ? 'AnthropicError' : 'OpenAIError', JSON.parse(text))).toEqual([]);
    });

    it('answers a caller without a credential with the documented text', async () => {
      const response = await fetch(`${relay.baseUrl}${path}`, { method: 'POST', body: '{}' });
      expect(response.status).toBe(401);
      expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(await response.text()).toBe('missing_or_malformed_credential');
    });
  });
});
