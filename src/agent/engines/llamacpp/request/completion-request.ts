import { z } from 'zod';
import { unsupportedCapability, unsupportedParameter } from '../failures.js';
import { parseBody } from './body.js';
import { limitFields, readSampling, readStopTexts, samplingFields, type Sampling } from './sampling.js';

/** OpenAI's default for this route. */
const DEFAULT_MAX_TOKENS = 16;

export interface CompletionRequest {
  readonly prompt: string;
  readonly sampling: Sampling;
  readonly stopTexts: readonly string[];
  readonly maxTokens: number;
  /** Fields that have no effect. */
  readonly dropped: readonly string[];
}

const completionBody = z.looseObject({
  prompt: z.union([z.string(), z.array(z.unknown())]),
  ...samplingFields,
  ...limitFields,
  n: z.number().int().min(1).nullish(),
  best_of: z.number().int().min(1).nullish(),
  echo: z.boolean().nullish(),
  logprobs: z.unknown().optional(),
  suffix: z.string().nullish(),
  logit_bias: z.unknown().optional(),
});

/** @throws EngineFailure with the field */
export function parseCompletionRequest(body: Buffer): CompletionRequest {
  const fields = parseBody(completionBody, body);
  if (typeof fields.prompt !== 'string')
    throw unsupportedCapability('prompt', 'this engine completes one text at a time');
  if ((fields.n ?? 1) > 1) throw unsupportedParameter('n', 'this engine completes a prompt once');
  if ((fields.best_of ?? 1) > 1) throw unsupportedParameter('best_of', 'this engine completes a prompt once');
  if (fields.echo === true) throw unsupportedParameter('echo', 'this engine does not repeat the prompt');
  if (fields.logprobs != null) throw unsupportedParameter('logprobs', 'this engine does not report log probabilities');
  if (fields.suffix != null && fields.suffix !== '') {
    throw unsupportedParameter('suffix', 'this engine does not fill in the middle');
  }
  return {
    prompt: fields.prompt,
    sampling: readSampling(fields),
    stopTexts: readStopTexts(fields.stop),
    maxTokens: fields.max_tokens ?? DEFAULT_MAX_TOKENS,
    dropped: fields.logit_bias == null ? [] : ['logit_bias'],
  };
}
