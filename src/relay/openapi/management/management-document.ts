/** The management surface as an OpenAPI 3.1 document of its own: every route of `/api` and nothing else. */
import type { DocumentFacts, OpenApiDocument } from '../inference/document.js';
import { answerHeaders } from '../inference/headers.js';
import { ref, type Schema } from '../inference/schema.js';
import { errorResponses, problemSchema } from './management-errors.js';
import {
  managementHeaderComponents,
  managementParameterComponents,
  parameter,
  rateHeaders,
  replayHeaders,
} from './management-headers.js';
import { managementRooms } from './management-rooms.js';
import type { ManagementRoute } from './management-route.js';

const description = `Accounts, keys, clusters and nodes of a relay: what the website and the \`ferry\` command use.

- Sign in with \`ferry login\` and send \`Authorization: Bearer ferry-cli-…\`, or use the session cookie of a browser. Never both, and never an API key.
- Roles build upon each other: member, admin, owner. Each operation says which one it needs.
- Failures are problem details (RFC 9457): look at \`code\`.
- Every POST of somebody who is signed in takes an \`Idempotency-Key\`.
- Lists come in pages: \`has_more\` and \`next_cursor\`.
- New fields may be added to answers at any time. Unknown fields of requests are refused.`;

export const managementDocument = (facts: DocumentFacts): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: `${facts.serviceName} management API`,
    version: facts.version,
    summary: 'Accounts, keys, clusters and nodes.',
    description,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: facts.baseUrl, description: 'This relay' }],
  security: [{ cliToken: [] }, { session: [] }],
  tags: managementRooms.map(({ tag, about }) => ({ name: tag, description: about })),
  paths: paths(),
  components: {
    securitySchemes: {
      cliToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: '^ferry-cli-[0-9A-Za-z]{61}$',
        description: 'A CLI token, as `ferry login` gets it: `Authorization: Bearer ferry-cli-…`.',
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: '__Host-ferry_session',
        description:
          'The session of a browser that signed in. Changes must come from a page of the relay itself (`Sec-Fetch-Site` or `Origin`).',
      },
    },
    parameters: managementParameterComponents,
    headers: managementHeaderComponents,
    schemas: {
      Problem: problemSchema,
      ...Object.fromEntries(managementRooms.flatMap(({ schemas }) => Object.entries(schemas))),
    },
  },
});

function paths(): Readonly<Record<string, Schema>> {
  const byPath: Record<string, Record<string, Schema>> = {};
  for (const { tag, routes } of managementRooms) {
    for (const route of routes) (byPath[route.path] ??= {})[route.method] = operation(tag, route);
  }
  return byPath;
}

function operation(tag: string, route: ManagementRoute): Schema {
  const { role, request } = route;
  const parameters = parametersOf(route);
  const needs = role === 'public' ? 'Needs no credential.' : `Needs the role \`${role}\`.`;
  return {
    operationId: route.operationId,
    tags: [tag],
    summary: route.summary,
    description: route.description === undefined ? needs : `${route.description}\n\n${needs}`,
    'x-required-role': role,
    ...(role === 'public' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(request && {
      requestBody: {
        required: request.optional !== true,
        content: { 'application/json': { schema: ref(request.schema), example: request.example } },
      },
    }),
    responses: { [String(route.answer.status)]: answer(route), ...errorResponses(route) },
  };
}

function parametersOf({ method, path, role, parameters = {}, query = {}, paged }: ManagementRoute): readonly Schema[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  return [
    ...names.map((name) => ({
      name,
      in: 'path',
      required: true,
      ...(parameters[name] !== undefined && { description: parameters[name] }),
      schema: { type: 'string' },
    })),
    ...Object.entries(query).map(([name, { description: about, ...schema }]) => ({
      name,
      in: 'query',
      required: false,
      ...(about !== undefined && { description: about }),
      schema,
    })),
    ...(paged ? [parameter('Limit'), parameter('Cursor')] : []),
    ...(method === 'post' && role !== 'public' ? [parameter('IdempotencyKey')] : []),
  ];
}

function answer({ method, role, answer: { about, schema, example, alternatives = {} } }: ManagementRoute): Schema {
  const content = {
    ...(schema !== undefined && { 'application/json': { schema: ref(schema), example } }),
    ...Object.fromEntries(
      Object.entries(alternatives).map(([type, whole]) => [type, { schema: { type: 'string' }, example: whole }]),
    ),
  };
  return {
    description: about,
    headers: {
      ...answerHeaders,
      ...(role !== 'public' && rateHeaders),
      ...(role !== 'public' && method === 'post' && replayHeaders),
    },
    ...(Object.keys(content).length > 0 && { content }),
  };
}
