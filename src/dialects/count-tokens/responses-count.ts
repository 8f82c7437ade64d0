import { keepAliveComment, openAiErrorFrame } from '../openai-frames.js';
import type { Envelope } from '../envelope.js';
import { requireBody } from '../field-checks.js';
import type { Protocol } from '../protocol.js';
import { continuationOf } from '../responses/continuation.js';
import { readResponsesEnvelope, type ResponsesEnvelope } from '../responses/envelope.js';
import { responsesRequirements } from '../responses/requirements.js';
import { requireCountable } from './countable.js';

interface ResponsesCountEnvelope extends Envelope, Pick<ResponsesEnvelope, 'previousResponseId' | 'itemReferences'> {
  readonly dialect: 'responses-count';
}

/** `POST /v1/responses/input_tokens` (docs/reference/extensions.md#count-tokens). A continued conversation is counted by the node that keeps it. */
export const responsesCountProtocol: Protocol<ResponsesCountEnvelope> = {
  dialect: 'responses-count',
  path: '/v1/responses/input_tokens',
  extension: 'count-tokens',
  name: 'counting the tokens of responses',
  errors: 'openresponses',
  promptField: 'input',
  read: (json) => {
    const asked = { ...requireBody(json), stream: false };
    const { body, model, previousResponseId, itemReferences } = readResponsesEnvelope(asked);
    return {
      envelope: { dialect: 'responses-count', model, stream: false, previousResponseId, itemReferences },
      requirements: requireCountable(responsesRequirements(body)),
    };
  },
  // Its prompt is not in the cache of an engine afterwards.
  conversation: () => ({ instructions: undefined }),
  format: () => ({ keepAlive: keepAliveComment, terminal: openAiErrorFrame }),
  continued: {
    idPrefix: 'resp_',
    notFound: 'previous_response_not_found',
    use: (envelope, accountId, ids) => {
      const continuation = continuationOf(envelope, accountId, ids);
      return continuation === undefined ? undefined : { continuation };
    },
  },
  estimate: { preambleBytes: 0, eventBytes: 1 },
  document: async () => (await import('./document/document.js')).responsesCountDocument,
};
