import { keepAliveComment, openAiErrorFrame } from '../openai-frames.js';
import type { Protocol } from '../protocol.js';
import type { StreamFormat } from '../stream-format.js';
import { completionsRequirements, readCompletionsEnvelope, type CompletionsEnvelope } from './envelope.js';

const format: StreamFormat = { keepAlive: keepAliveComment, terminal: openAiErrorFrame, cutsFailures: true };

/** `POST /v1/completions` (docs/reference/public-api.md#create-a-text-completion). The node uses its engine's own route. */
export const completionsProtocol: Protocol<Omit<CompletionsEnvelope, 'body'>> = {
  dialect: 'completions',
  path: '/v1/completions',
  name: 'text completions',
  errors: 'openai',
  promptField: 'prompt',
  read: (json) => {
    const { body, model, stream } = readCompletionsEnvelope(json);
    return { envelope: { dialect: 'completions', model, stream }, requirements: completionsRequirements(body) };
  },
  conversation: (body) => ({ instructions: undefined, text: body['prompt'] }),
  format: () => format,
  estimate: { preambleBytes: 0, eventBytes: 160 },
  document: async () => (await import('./document/document.js')).completionsDocument,
};
