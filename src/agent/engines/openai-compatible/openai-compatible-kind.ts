import { z } from 'zod';
import { engineRoutes } from '../engine.js';
import type { EngineKind } from '../engine-kind.js';
import { httpEngineOptions, httpEntryFields } from '../http/http-entry.js';
import { OpenAiCompatibleEngine } from './openai-compatible-engine.js';

const schema = z.strictObject({
  kind: z.literal('openai-compatible'),
  ...httpEntryFields,
  /** Which listed models are resident, for an engine that cannot be asked. */
  resident: z.union([z.literal('all'), z.array(z.string().min(1)).max(1_000)]).optional(),
  /** Which routes it has. Absent: `chat`, and `completions` where the engine is recognised as one that has it; it is never tried out. */
  routes: z.array(z.enum(engineRoutes)).min(1).optional(),
});
export type OpenAiCompatibleEntry = z.output<typeof schema>;

export const openAiCompatibleKind: EngineKind<OpenAiCompatibleEntry> = {
  kind: 'openai-compatible',
  schema,
  create: (entry, context) =>
    new OpenAiCompatibleEngine({
      ...httpEngineOptions(entry, context, 'openai'),
      resident: entry.resident ?? null,
      routes: entry.routes ?? null,
    }),
};
