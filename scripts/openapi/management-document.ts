/** The OpenAPI document of `/api`, generated from its controllers and the classes of its requests and answers. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import * as swagger from 'nest-swagger';
import { roleNeeded } from '../../src/relay/platform/access/permissions.js';
import type { DocumentFacts } from '../../src/relay/openapi/inference/document.js';
import { declaredRoutes, relayModule } from './declared-routes.js';
import { describeOperation, type Operation } from './describe-operation.js';
import { problemSchema, type NeededRole } from './management-errors.js';
import { managementHeaderComponents, managementParameterComponents } from './management-headers.js';
import { publicNames, withoutUnused } from './component-names.js';
import { withSharedParts } from './shared-parts.js';
import { validatedClasses, validationRules } from './validation-rules.js';
import type { Schemas } from './compose-examples.js';

const description = `Accounts, keys, clusters and nodes of a relay: the API of the website and the \`ferry\` command.

- Sign in with \`ferry login\` and send \`Authorization: Bearer ferry-cli-…\`, or use the session cookie of a browser. Not both, and no API key.
- Each role includes the previous ones: member, admin, owner. Each operation states the role it needs.
- Errors are problem details (RFC 9457); programs should check \`code\`.
- Every POST with a credential accepts an \`Idempotency-Key\`, except for streamed responses.
- Lists are paginated with \`has_more\` and \`next_cursor\`.
- Responses may get new fields at any time. Unknown fields in requests are rejected.`;

/** In display order; each controller names its tag. */
const tags = [
  { name: 'Account', description: 'Sign-up, sign-in, sign-out, and the signed-in user.' },
  {
    name: 'Device sign-in',
    description: 'Sign-in of a command line on a computer without a browser (RFC 8628).',
  },
  { name: 'People', description: 'Users of the account, and invites.' },
  {
    name: 'API keys',
    description: 'Credentials for `/v1`. Members see and change their own keys, admins all keys of the account.',
  },
  { name: 'Clusters', description: 'Named groups of nodes, and join tokens.' },
  { name: 'Nodes', description: 'The computers that serve models.' },
  {
    name: 'Models and operations',
    description: 'Models, and operations of nodes on them: install, load, unload, remove.',
  },
  {
    name: 'Usage, requests and audit',
    description: 'Usage, routing of requests, and the audit trail. None of them contains prompts.',
  },
  { name: 'Description', description: 'This document.' },
];

const securitySchemes = {
  cliToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: '^ferry-cli-[0-9A-Za-z]{61}$',
    description: 'A CLI token, as created by `ferry login`: `Authorization: Bearer ferry-cli-…`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-ferry_session',
    description:
      'The session of a signed-in browser. Changes must come from a page of the relay itself (`Sec-Fetch-Site` or `Origin`).',
  },
} as const;

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Builds the module tree in preview mode: no provider is made, nothing listens, no database is opened. */
export async function managementDocument(facts: DocumentFacts): Promise<object> {
  const app = await NestFactory.create(relayModule, { preview: true, logger: false, abortOnError: false });
  for (const type of validatedClasses()) addRules(type);
  const base = {
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
    tags,
    paths: {},
    components: { securitySchemes },
  };
  const { paths, components, ...rest } = swagger.SwaggerModule.createDocument(app, base);
  const schemas = (components?.schemas ?? {}) as Schemas;
  const document = {
    ...rest,
    paths: describedPaths(paths as unknown as Paths, schemas),
    components: {
      ...components,
      parameters: managementParameterComponents,
      headers: managementHeaderComponents,
      schemas: { Problem: problemSchema, ...schemas },
    },
  };
  return withSharedParts(publicNames(withoutUnused(document)));
}

/** What class-validator checks is in the document without being said twice. */
function addRules(type: object): void {
  const { prototype } = type as { readonly prototype: object };
  for (const [field, rule] of validationRules(type)) {
    if (Reflect.hasMetadata('swagger/apiModelProperties', prototype, field)) {
      swagger.ApiProperty(rule)(prototype, field);
    }
  }
}

/** The operations below `/api`, in the order of the tags. */
function describedPaths(paths: Paths, schemas: Schemas): Paths {
  const roles = new Map<string, NeededRole>();
  for (const { method, path, access } of declaredRoutes()) {
    if (access === undefined || access.kind === 'api-key') continue;
    roles.set(
      `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
      access.kind === 'public' ? 'public' : roleNeeded(access.permission),
    );
  }
  const order = ([, operations]: [string, Readonly<Record<string, Operation>>]): number =>
    tags.findIndex(({ name }) => Object.values(operations)[0]?.tags?.[0] === name);
  return Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/'))
      .sort((one, other) => order(one) - order(other))
      .map(([path, operations]) => [
        path,
        Object.fromEntries(
          Object.entries(operations).map(([method, operation]) => {
            const role = roles.get(`${method} ${path}`);
            if (role === undefined) throw new Error(`${method} ${path} has no role`);
            return [method, describeOperation({ method, path, role, operation, schemas })];
          }),
        ),
      ]),
  );
}
