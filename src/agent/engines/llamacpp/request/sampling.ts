import { randomInt } from 'node:crypto';
import { z } from 'zod';

/** Sampling parameters; absent fields have llama.cpp's defaults. */
export interface Sampling {
  readonly temperature: number;
  /** 0: no limit. */
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  /** Unsigned 32 bit. */
  readonly seed: number;
  readonly repetitionPenalty: number;
  readonly frequencyPenalty: number;
  readonly presencePenalty: number;
}

const SEED_RANGE = 2 ** 32;
const optionalNumber = (minimum: number, maximum: number) => z.number().min(minimum).max(maximum).nullish();

export const samplingFields = {
  temperature: optionalNumber(0, 100),
  top_p: optionalNumber(0, 1),
  top_k: z.number().int().min(-1).max(1_000_000).nullish(),
  min_p: optionalNumber(0, 1),
  seed: z.number().int().nullish(),
  frequency_penalty: optionalNumber(-2, 2),
  presence_penalty: optionalNumber(-2, 2),
  repetition_penalty: optionalNumber(0, 10),
  /** llama-server's name. */
  repeat_penalty: optionalNumber(0, 10),
};

type SamplingBody = z.output<z.ZodObject<typeof samplingFields>>;

/** Sets a random seed by default, because node-llama-cpp's default is the current second, equal for concurrent requests. */
export const readSampling = (body: SamplingBody): Sampling => ({
  temperature: body.temperature ?? 0.8,
  topK: Math.max(0, body.top_k ?? 40),
  topP: body.top_p ?? 0.95,
  minP: body.min_p ?? 0.05,
  seed: body.seed == null ? randomInt(SEED_RANGE) : ((body.seed % SEED_RANGE) + SEED_RANGE) % SEED_RANGE,
  repetitionPenalty: body.repetition_penalty ?? body.repeat_penalty ?? 1,
  frequencyPenalty: body.frequency_penalty ?? 0,
  presencePenalty: body.presence_penalty ?? 0,
});

const MAX_STOP_TEXTS = 16;
const MAX_STOP_CHARACTERS = 1_000;
const stopText = z.string().max(MAX_STOP_CHARACTERS);

export const limitFields = {
  max_tokens: z.number().int().min(1).nullish(),
  stop: z.union([stopText, z.array(stopText).max(MAX_STOP_TEXTS)]).nullish(),
};

/** Without empty stop texts, which would end every response at once. */
export const readStopTexts = (stop: string | readonly string[] | null | undefined): readonly string[] =>
  (typeof stop === 'string' ? [stop] : (stop ?? [])).filter((text) => text !== '');
