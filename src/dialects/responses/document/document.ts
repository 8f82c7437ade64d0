import type { ProtocolDocument } from '../../document.js';
import { responsesRequestSchemas } from './responses-request-schemas.js';
import { responseSchemas } from './response-schemas.js';
import { responseEventSchemas } from './response-event-schemas.js';
import { responsesApiResponses, responsesRequests, responsesStream } from './responses-examples.js';

export const responsesDocument: ProtocolDocument = {
  operationId: 'createResponse',
  tag: 'Responses',
  about: 'OpenResponses, with conversations that can be continued by id.',
  summary: 'Create a response',
  description:
    'OpenResponses. With `"stream": true` the response is a series of named events whose `sequence_number` has no gaps. It ends with `response.completed`, `response.incomplete` or `response.failed`, and then `data: [DONE]`.',
  schemas: { request: 'ResponsesRequest', answer: 'Response', event: 'ResponsesStreamEvent' },
  components: { ...responsesRequestSchemas, ...responseSchemas, ...responseEventSchemas },
  requests: responsesRequests,
  answers: responsesApiResponses,
  stream: responsesStream,
  sample: { model: 'tiny', input: 'Hello' },
};
