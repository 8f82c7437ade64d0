/** The OpenAPI document of `/v1` is written by hand; this checks it against the relay. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { renderOpenApi } from '../../scripts/openapi.js';
import { openApiPath } from '../../scripts/openapi/paths.js';
import { contractProtocols } from '../../src/dialects/protocols.js';
import { DocumentedSchemas } from '../support/client/documented-schemas.js';
import { eventsIn } from '../support/client/documented-events.js';
import { publicRoutes } from '../../scripts/openapi/declared-routes.js';

interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, DocumentedResponse>> };
}
interface Operation {
  readonly responses: Readonly<Record<string, DocumentedResponse | { readonly $ref: string }>>;
}
interface DocumentedResponse {
  readonly content: Readonly<
    Record<string, { schema: object; examples?: Record<string, { value: unknown }>; example?: unknown }>
  >;
}

const document = JSON.parse(await renderOpenApi()) as Documented;
const schemas = new DocumentedSchemas(document);

describe('openapi/inference.json', () => {
  it('openapi/inference.json is up to date with the sources (else run `npm run docs:openapi`)', async () => {
    expect(readFileSync(openApiPath, 'utf8')).toBe(await renderOpenApi());
  });

  it('openapi/inference.json has exactly the routes that the relay has below /v1', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual(publicRoutes());
  });

  it('openapi/inference.json has schemas for every failure', () => {
    for (const response of Object.values(document.components.responses)) {
      for (const { schema, examples = {}, example } of Object.values(response.content)) {
        const values = [
          ...Object.values(examples).map(({ value }) => value),
          ...(example === undefined ? [] : [example]),
        ];
        expect(values).not.toEqual([]);
        for (const value of values) expect(schemas.problemsOf(schema, value)).toEqual([]);
      }
    }
  });

  it('openapi/inference.json has the two literal bodies of the contract as plain text', () => {
    const { OpenAI401: unauthorized, OpenAI503: unavailable } = document.components.responses;
    expect(unauthorized!.content['text/plain']!.schema).toEqual({
      type: 'string',
      enum: ['missing_or_malformed_credential'],
    });
    expect(unavailable!.content['text/plain']!.schema).toEqual({ type: 'string', enum: ['no node for user'] });
  });
});

const documented = await Promise.all(
  contractProtocols.map(async (protocol) => [protocol.path, await protocol.document()] as const),
);

describe.each(documented)('%s', (path, route) => {
  it('has examples of requests and responses that match its schemas', () => {
    for (const { value } of Object.values(route.requests)) {
      expect(schemas.problemsOf(schemas.ref(route.schemas.request), value)).toEqual([]);
    }
    for (const { value } of Object.values(route.answers)) {
      expect(schemas.problemsOf(schemas.ref(route.schemas.answer), value)).toEqual([]);
    }
  });

  it('has an example of a stream with valid events and the correct end', () => {
    const { events, done } = eventsIn(route.stream ?? '');
    expect(events.length).toBeGreaterThan(1);
    for (const event of events) expect(schemas.problemsOf(schemas.ref(route.schemas.event ?? ''), event)).toEqual([]);
    expect(done).toBe(path !== '/v1/messages');
  });

  it('documents both media types and every status of the contract', () => {
    const { responses } = document.paths[path]!['post']!;
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '404', '413', '429', '500', '503']);
    const success = responses['200'] as DocumentedResponse;
    expect(Object.keys(success.content)).toEqual(['application/json', 'text/event-stream']);
  });
});
