import type { ProtocolDocument } from '../../document.js';
import { completionsSchemas } from './completions-schemas.js';
import { completionsResponses, completionsRequests, completionsStream } from './completions-examples.js';

export const completionsDocument: ProtocolDocument = {
  operationId: 'createCompletion',
  tag: 'Completions (legacy)',
  about: 'Legacy text completions.',
  summary: 'Complete a text',
  description:
    'Legacy text completions, served by engines that have this route. Prefer Chat Completions or Responses for conversations.',
  schemas: { request: 'CompletionRequest', answer: 'Completion', event: 'CompletionStreamEvent' },
  components: { ...completionsSchemas },
  requests: completionsRequests,
  answers: completionsResponses,
  stream: completionsStream,
  sample: { model: 'tiny', prompt: 'Once upon a time', max_tokens: 64 },
};
