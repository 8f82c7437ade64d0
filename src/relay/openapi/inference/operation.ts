/** The shape that the five operations share, so that none lacks a header, an error or an example. */
import type { ProtocolDocument } from '../../../dialects/document.js';
import type { Protocol } from '../../../dialects/protocol.js';
import type { Schema } from '../../../dialects/schema.js';
import { errorReferences, notImplementedResponse } from './errors/error-responses.js';
import { responseHeaders, translatedResponseHeaders } from './headers.js';

export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

export const clusterPin = [{ $ref: '#/components/parameters/ClusterPin' }];

export function inferenceOperation(
  { errors, extension }: Pick<Protocol, 'errors' | 'extension'>,
  route: ProtocolDocument,
  samples: readonly CodeSample[],
): Schema {
  const { schemas, stream } = route;
  return {
    post: {
      ...(extension !== undefined && { 'x-ferry-extension': extension }),
      operationId: route.operationId,
      tags: [route.tag],
      summary: route.summary,
      description: route.description,
      parameters: clusterPin,
      requestBody: {
        required: true,
        description: 'At most 16 MiB (16,777,216 bytes), encoded attachments included.',
        content: { 'application/json': { schema: reference(schemas.request), examples: route.requests } },
      },
      responses: {
        200: {
          description:
            stream === undefined
              ? 'The response.'
              : 'The response: one JSON body, or server-sent events with `"stream": true`.',
          headers: translatedResponseHeaders,
          content: {
            'application/json': { schema: reference(schemas.answer), examples: route.answers },
            ...(stream !== undefined &&
              schemas.event !== undefined && { 'text/event-stream': streamContent(schemas.event, stream) }),
          },
        },
        ...errorReferences(errors),
        ...(extension !== undefined && notImplementedResponse(errors)),
      },
      'x-codeSamples': samples,
    },
  };
}

/**
 * OpenAPI 3.1 can only call a stream a string; `contentSchema` says in JSON Schema's own words what its events hold. (`itemSchema`, made
 * for this, comes with 3.2 and is an error in a document of 3.1.)
 */
const streamContent = (event: string, example: string): Schema => ({
  schema: {
    type: 'string',
    contentMediaType: 'text/event-stream',
    contentSchema: { type: 'array', items: reference(event) },
  },
  example,
});

/** @param schema of one record */
export const modelResponses = (schema: string): Schema => ({
  200: {
    description: 'The model.',
    headers: responseHeaders,
    content: { 'application/json': { schema: reference(schema) } },
  },
  ...errorReferences('inventory'),
});

export const inventoryResponses = (schema: string, examples: Schema): Schema => ({
  200: {
    description: 'The models on your online computers.',
    headers: responseHeaders,
    content: { 'application/json': { schema: reference(schema), examples } },
  },
  ...errorReferences('inventory'),
});
