/** The OpenAPI document of `/api` is written by hand, so this is what keeps it true. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { managementOpenApiPath, renderManagementOpenApi } from '../../scripts/openapi.js';
import { errorCatalogue, type ErrorCode } from '../../src/kernel/errors/error-catalogue.js';
import { managementCodes } from '../../src/relay/openapi/inference/errors/management-codes.js';
import { managementRooms } from '../../src/relay/openapi/management/management-rooms.js';
import { DocumentedSchemas } from '../support/client/documented-schemas.js';
import { declaredRoutes } from '../support/relay/public-routes.js';

const document = JSON.parse(renderManagementOpenApi()) as Record<string, unknown>;
const schemas = new DocumentedSchemas(document);
const routes = managementRooms.flatMap((room) => room.routes);
const declared = declaredRoutes().filter(({ path }) => path.startsWith('/api/'));

/** `/api/nodes/:nodeId` as OpenAPI writes it. */
const documentedPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

describe('openapi-management.json', () => {
  it('is what the sources say (else run `npm run docs:openapi`)', () => {
    expect(readFileSync(managementOpenApiPath, 'utf8')).toBe(renderManagementOpenApi());
  });

  it('has exactly the routes that the relay has below /api, each with the role that it asks for', () => {
    const documented = routes.map(({ method, path, role }) => `${method.toUpperCase()} ${path} ${role}`);
    const real = declared.map(({ method, path, access }) => {
      const role = access?.kind === 'management' ? access.role : access?.kind;
      return `${method} ${documentedPath(path)} ${role ?? 'nobody'}`;
    });
    expect(documented.sort()).toEqual(real.sort());
  });

  it('names every operation once', () => {
    const names = routes.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has no schema twice and none that nothing uses', () => {
    const names = managementRooms.flatMap((room) => Object.keys(room.schemas));
    expect(new Set(names).size).toBe(names.length);
    const text = JSON.stringify(document);
    expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
  });
});

describe.each(routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
  '%s',
  (_name, { request, answer }) => {
    it('has examples that fit its schemas', () => {
      if (request !== undefined) expect(schemas.problemsOf(schemas.ref(request.schema), request.example)).toEqual([]);
      if (answer.schema !== undefined) {
        expect(schemas.problemsOf(schemas.ref(answer.schema), answer.example)).toEqual([]);
      }
      expect([204, 302].includes(answer.status)).toBe(answer.schema === undefined && answer.alternatives === undefined);
    });
  },
);

it('every code that only the management API has stays out of the public document', () => {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const marked = codes.filter((code) => errorCatalogue[code].meaning.startsWith('Management API only'));
  expect(marked.filter((code) => !managementCodes.includes(code))).toEqual([]);
});
