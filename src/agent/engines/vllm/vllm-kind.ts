import { z } from 'zod';
import type { EngineKind } from '../engine-kind.js';
import { HttpEngine } from '../http/http-engine.js';
import { httpEngineOptions, httpEntryFields } from '../http/http-entry.js';
import { VllmAdapter } from './vllm-adapter.js';

const schema = z.strictObject({ kind: z.literal('vllm'), ...httpEntryFields });
export type VllmEntry = z.output<typeof schema>;

export const vllmKind: EngineKind<VllmEntry> = {
  kind: 'vllm',
  schema,
  create: (entry, context) => new HttpEngine(httpEngineOptions(entry, context, 'vllm'), new VllmAdapter()),
};
