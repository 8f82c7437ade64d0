import { z } from 'zod';
import type { EngineKind } from '../engine-kind.js';
import { HttpEngine } from '../http/http-engine.js';
import { httpEngineOptions, httpEntryFields } from '../http/http-entry.js';
import { LocalAiAdapter } from './localai-adapter.js';

const schema = z.strictObject({ kind: z.literal('localai'), ...httpEntryFields });
export type LocalAiEntry = z.output<typeof schema>;

export const localAiKind: EngineKind<LocalAiEntry> = {
  kind: 'localai',
  schema,
  create: (entry, context) =>
    new HttpEngine(httpEngineOptions(entry, context, 'localai'), new LocalAiAdapter(context.installSources)),
};
