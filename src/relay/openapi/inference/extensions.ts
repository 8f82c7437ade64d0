import type { Schema } from '../../../dialects/schema.js';
import type { ExtensionName } from '../../../kernel/extension.js';
import type { OpenApiDocument } from './openapi-document.js';
import { clusterPin, modelResponses } from './operation.js';

type Addition = (document: OpenApiDocument) => OpenApiDocument;

const keyInHeader: Schema = {
  'x-ferry-extension': 'x-api-key',
  type: 'apiKey',
  in: 'header',
  name: 'x-api-key',
  description:
    'The same API key, for Anthropic clients without `Authorization`. On the routes of models with `anthropic-version` only.',
};

const modelOperation: Schema = {
  get: {
    'x-ferry-extension': 'model-by-id',
    operationId: 'getModel',
    tags: ['Models'],
    summary: 'Get a model',
    description: 'The record of one model, as in the list. 404 names similar models.',
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'An `id` or `selector` of the list, with its slashes as they are or as `%2F`.',
        schema: { type: 'string' },
      },
      ...clusterPin,
    ],
    responses: modelResponses('Model'),
  },
};

/** The parts of extensions that are no inference routes. */
const additions: Readonly<Partial<Record<ExtensionName, Addition>>> = {
  'x-api-key': (document) => ({
    ...document,
    paths: Object.fromEntries(
      Object.entries(document.paths).map(([path, item]) => [
        path,
        /^\/v1\/(?:messages|models)(?:\/|$)/.test(path) ? withKeyInHeader(item) : item,
      ]),
    ),
    components: {
      ...document.components,
      securitySchemes: { ...document.components.securitySchemes, apiKeyHeader: keyInHeader },
    },
  }),
  'json-errors': (document) => ({
    ...document,
    info: {
      ...document.info,
      description: `${document.info.description}\n- Extension \`json-errors\`: for accounts that have it on, the two plain texts are JSON like all other errors.`,
    },
  }),
  'model-by-id': (document) => ({ ...document, paths: { ...document.paths, '/v1/models/{id}': modelOperation } }),
};

const withKeyInHeader = (item: Schema): Schema =>
  Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      { ...(operation as Schema), security: [{ apiKey: [] }, { apiKeyHeader: [] }] },
    ]),
  );

/** In an order in which each sees the routes of those before it. */
const inOrder: readonly ExtensionName[] = ['model-by-id', 'x-api-key', 'json-errors'];

export const withExtensions = (document: OpenApiDocument, extensions: readonly ExtensionName[]): OpenApiDocument =>
  inOrder
    .filter((name) => extensions.includes(name))
    .reduce((described, name) => additions[name]?.(described) ?? described, document);
