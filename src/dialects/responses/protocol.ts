import type { JsonObject } from '../../kernel/json-object.js';
import type { Protocol } from '../protocol.js';
import { continuationOf } from './continuation.js';
import { readResponsesEnvelope, type ResponsesEnvelope } from './envelope.js';
import { responsesRequirements } from './requirements.js';
import { requestEcho } from './resource.js';
import { ResponsesFormat } from './response-frames.js';

/** Part of the request that a failed response may repeat. Copying more to the event loop would block it. */
const LONGEST_ECHO_CHARACTERS = 65_536;

/** `POST /v1/responses` (docs/reference/public-api.md#create-a-response). The node translates and stores the conversation. */
export const responsesProtocol: Protocol<ResponsesEnvelope> = {
  dialect: 'responses',
  path: '/v1/responses',
  name: 'responses',
  errors: 'openresponses',
  promptField: 'input',
  read: (json) => {
    const envelope = readResponsesEnvelope(json);
    return { envelope, requirements: responsesRequirements(envelope.body) };
  },
  transferred: (envelope) => {
    const echo: JsonObject = { ...requestEcho(envelope.body) };
    return { ...envelope, body: JSON.stringify(echo).length <= LONGEST_ECHO_CHARACTERS ? echo : {} };
  },
  conversation: ({ input, instructions }) =>
    typeof input === 'string' ? { instructions, text: input } : { instructions, messages: input },
  format: (envelope, clock) => new ResponsesFormat(envelope, clock),
  continued: {
    idPrefix: 'resp_',
    notFound: 'previous_response_not_found',
    use: (envelope, accountId, ids) => {
      const continuation = continuationOf(envelope, accountId, ids);
      return continuation === undefined ? {} : { continuation };
    },
  },
  nodeKeepsAlive: true,
  estimate: { preambleBytes: 3_000, eventBytes: 220 },
  document: async () => (await import('./document/document.js')).responsesDocument,
};
