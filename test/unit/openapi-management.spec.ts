/** The OpenAPI document of `/api` is generated from the controllers; this checks that the committed file is current and complete. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { renderManagementOpenApi } from '../../scripts/openapi.js';
import { managementOpenApiPath } from '../../scripts/openapi/paths.js';
import { declaredRoutes } from '../../scripts/openapi/declared-routes.js';
import { roleNeeded } from '../../src/relay/platform/access/permissions.js';
import { errorCatalogue, type ErrorCode } from '../../src/kernel/errors/error-catalogue.js';
import { managementCodes } from '../../src/relay/openapi/inference/errors/management-codes.js';
import {
  managementOperations,
  readManagementDocument,
  type ManagementDocument,
} from '../support/client/management-document.js';
import { DocumentedSchemas } from '../support/client/documented-schemas.js';

const document = readManagementDocument();
const schemas = new DocumentedSchemas(document);
const operations = managementOperations(document);
const declared = declaredRoutes().filter(({ path }) => path.startsWith('/api/'));

/** `/api/nodes/:nodeId` in OpenAPI syntax. */
const documentedPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

describe('openapi/management.json', () => {
  it('openapi/management.json is up to date with the controllers (else run `npm run docs:openapi`)', async () => {
    expect(readFileSync(managementOpenApiPath, 'utf8')).toBe(await renderManagementOpenApi());
  });

  it('says every response and parameter that operations share once', () => {
    const { paths } = JSON.parse(readFileSync(managementOpenApiPath, 'utf8')) as ManagementDocument;
    const inline = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ parameters = [], responses }) => [
        ...parameters.filter((part) => !('$ref' in part)),
        ...Object.entries(responses).flatMap(([status, part]) => (status < '400' || '$ref' in part ? [] : [part])),
      ])
      .map((part) => JSON.stringify(part));
    expect(inline.filter((text, index) => inline.indexOf(text) !== index)).toEqual([]);
  });

  it('openapi/management.json has exactly the routes of the relay below /api, each with its required role', () => {
    const documented = operations.map(({ method, path, operation }) => {
      return `${method.toUpperCase()} ${path} ${operation['x-required-role']}`;
    });
    const real = declared.map(({ method, path, access }) => {
      const role = access?.kind === 'management' ? roleNeeded(access.permission) : access?.kind;
      return `${method} ${documentedPath(path)} ${role ?? 'nobody'}`;
    });
    expect(documented.sort()).toEqual(real.sort());
  });

  it('openapi/management.json has unique operation ids, none named after its method', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.includes('_'))).toEqual([]);
  });

  it('openapi/management.json has a summary and a known tag for every operation', () => {
    const tags = document.tags.map(({ name }) => name);
    const bare = operations.filter(
      ({ operation }) => operation.summary === undefined || !tags.includes(operation.tags[0] ?? ''),
    );
    expect(bare.map(({ path }) => path)).toEqual([]);
  });

  it('openapi/management.json has no unused schema', () => {
    const text = JSON.stringify(document);
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
  });
});

describe.each(
  operations.map((operation) => [`${operation.method.toUpperCase()} ${operation.path}`, operation] as const),
)('%s', (_name, { operation: { requestBody, responses } }) => {
  it('has examples that match its schemas', () => {
    const [[status, success]] = Object.entries(responses) as [[string, (typeof responses)[string]]];
    expect([204, 302].includes(Number(status))).toBe(success.content === undefined);
    for (const content of [requestBody?.content, success.content]) {
      const json = content?.['application/json'];
      if (json !== undefined) expect(schemas.problemsOf(json.schema, json.example)).toEqual([]);
    }
  });
});

it('keeps codes of the management API out of the public document', () => {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const marked = codes.filter((code) => errorCatalogue[code].meaning.startsWith('Management API only'));
  expect(marked.filter((code) => !managementCodes.includes(code))).toEqual([]);
});
