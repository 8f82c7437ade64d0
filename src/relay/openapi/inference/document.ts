/** The public surface as an OpenAPI 3.1 document: the five routes of docs/reference/public-api.md#routes and nothing else. */
import { codeSamples } from './code-samples.js';
import { chatAnswerSchemas } from './chat/chat-answer-schemas.js';
import { chatRequestSchemas } from './chat/chat-request-schemas.js';
import { completionsSchemas } from './completions/completions-schemas.js';
import { errorResponseComponents } from './errors/error-responses.js';
import { errorSchemas } from './errors/error-schemas.js';
import { headerComponents, parameterComponents } from './headers.js';
import { inferenceRoutes, type InferencePath } from './inference-routes.js';
import { messagesAnswerSchemas } from './messages/messages-answer-schemas.js';
import { messagesRequestSchemas } from './messages/messages-request-schemas.js';
import { modelSchemas, modelExamples } from './models/model-schemas.js';
import { inferenceOperation, clusterPin, inventoryResponses, type CodeSample } from './operation.js';
import { responseEventSchemas } from './responses/response-event-schemas.js';
import { responseSchemas } from './responses/response-schemas.js';
import { responsesRequestSchemas } from './responses/responses-request-schemas.js';
import type { Schema } from './schema.js';

const modelsOperation = (samples: readonly CodeSample[]): Schema => ({
  get: {
    operationId: 'listModels',
    tags: ['Models'],
    summary: 'List models',
    description:
      'Models on online computers of the account, both loaded and only installed. Inference requires a model with `loaded: true`. Fetch the list again after a disconnect.',
    parameters: clusterPin,
    responses: inventoryResponses('ModelList', modelExamples),
    'x-codeSamples': samples,
  },
});

export interface DocumentFacts {
  /** As shown to people. */
  readonly serviceName: string;
  /** Of the package. */
  readonly version: string;
  /** Without a trailing slash or `/v1`. */
  readonly baseUrl: string;
}

export interface OpenApiDocument extends Schema {
  readonly paths: Readonly<Record<string, Schema>>;
}

const description = `Inference on your own computers over the OpenAI, OpenResponses and Anthropic protocols.

- A request is routed to an online computer on which the model is loaded. A request never loads a model that is only installed.
- Unknown fields and headers never fail a request. The effect of an optional field depends on the engine and the model.
- Check the status **and** the content type of an error: \`missing_or_malformed_credential\` (401) and \`no node for user\` (503) are plain text, all other errors are JSON.
- Every response has the header \`x-request-id\`.
- Tool calls are executed by your application, never by the relay or node.`;

const tags = [
  { name: 'Models', description: 'Available models.' },
  ...Object.values(inferenceRoutes).map(({ tag, about }) => ({ name: tag, description: about })),
];

export const openApiDocument = (facts: DocumentFacts): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: `${facts.serviceName} API`,
    version: facts.version,
    summary: 'One address for the models on your own computers.',
    description,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: facts.baseUrl, description: 'This relay' }],
  security: [{ apiKey: [] }],
  tags,
  paths: paths(facts.baseUrl),
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: '^sk-ferry-[0-9A-Za-z]{61}$',
        description: 'An API key of the account: `Authorization: Bearer sk-ferry-…`. No other credential is accepted.',
      },
    },
    parameters: parameterComponents,
    headers: headerComponents,
    responses: errorResponseComponents(),
    schemas: {
      ...modelSchemas,
      ...chatRequestSchemas,
      ...chatAnswerSchemas,
      ...completionsSchemas,
      ...responsesRequestSchemas,
      ...responseSchemas,
      ...responseEventSchemas,
      ...messagesRequestSchemas,
      ...messagesAnswerSchemas,
      ...errorSchemas,
    },
  },
});

function paths(baseUrl: string): Readonly<Record<string, Schema>> {
  const routes = Object.keys(inferenceRoutes) as InferencePath[];
  return {
    '/v1/models': modelsOperation(codeSamples(baseUrl, '/v1/models')),
    ...Object.fromEntries(
      routes.map((path) => [
        path,
        inferenceOperation({ ...inferenceRoutes[path], samples: codeSamples(baseUrl, path) }),
      ]),
    ),
  };
}
