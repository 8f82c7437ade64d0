/** The public surface as an OpenAPI 3.1 document: the five routes of docs/reference/public-api.md#routes, and the extensions that are on. */
import type { ProtocolDocument } from '../../../dialects/document.js';
import type { Protocol } from '../../../dialects/protocol.js';
import { allProtocols } from '../../../dialects/protocols.js';
import type { ExtensionName } from '../../../kernel/extension.js';
import type { Schema } from '../../../dialects/schema.js';
import { codeSamples, modelsSamples } from './code-samples.js';
import { errorResponseComponents } from './errors/error-responses.js';
import { errorSchemas } from './errors/error-schemas.js';
import { withExtensions } from './extensions.js';
import type { OpenApiDocument } from './openapi-document.js';
import { headerComponents, parameterComponents } from './headers.js';
import { modelSchemas, modelExamples } from './models/model-schemas.js';
import { inferenceOperation, clusterPin, inventoryResponses, type CodeSample } from './operation.js';

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
  /** People see this name. */
  readonly serviceName: string;
  /** The version of the package. */
  readonly version: string;
  /** Has neither a trailing slash nor `/v1`. */
  readonly baseUrl: string;
}

const description = `Inference on your own computers over the OpenAI, OpenResponses and Anthropic protocols.

- A request is routed to an online computer on which the model is loaded. A request never loads a model that is only installed.
- Unknown fields and headers never fail a request. The effect of an optional field depends on the engine and the model.
- Check the status **and** the content type of an error: \`missing_or_malformed_credential\` (401) and \`no node for user\` (503) are plain text, all other errors are JSON.
- Every response has the header \`x-request-id\`.
- Tool calls are executed by your application, never by the relay or node.`;

interface Described {
  readonly protocol: Protocol;
  readonly document: ProtocolDocument;
}

/** @param extensions that are on; what is theirs is marked with `x-ferry-extension` */
export async function openApiDocument(
  facts: DocumentFacts,
  extensions: readonly ExtensionName[] = [],
): Promise<OpenApiDocument> {
  const served = allProtocols.filter(({ extension }) => extension === undefined || extensions.includes(extension));
  const routes = await Promise.all(
    served.map(async (protocol): Promise<Described> => ({ protocol, document: await protocol.document() })),
  );
  return withExtensions(documentOf(facts, routes), extensions);
}

const documentOf = (facts: DocumentFacts, routes: readonly Described[]): OpenApiDocument => ({
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
  tags: [
    { name: 'Models', description: 'Available models.' },
    ...routes
      .filter(({ protocol }) => protocol.extension === undefined)
      .map(({ document: { tag, about } }) => ({ name: tag, description: about })),
  ],
  paths: paths(facts.baseUrl, routes),
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
      ...Object.fromEntries(routes.flatMap(({ document }) => Object.entries(document.components))),
      ...errorSchemas,
    },
  },
});

const paths = (baseUrl: string, routes: readonly Described[]): Readonly<Record<string, Schema>> => ({
  '/v1/models': modelsOperation(modelsSamples(baseUrl)),
  ...Object.fromEntries(
    routes.map(({ protocol, document }) => [
      protocol.path,
      inferenceOperation(protocol, document, codeSamples(baseUrl, protocol, document.sample)),
    ]),
  ),
});
