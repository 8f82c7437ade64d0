import { z } from 'zod';
import type { EngineKind } from '../engine-kind.js';
import { HttpEngine } from '../http/http-engine.js';
import { httpEngineOptions, httpEntryFields } from '../http/http-entry.js';
import { SglangAdapter } from './sglang-adapter.js';

const schema = z.strictObject({ kind: z.literal('sglang'), ...httpEntryFields });
export type SglangEntry = z.output<typeof schema>;

export const sglangKind: EngineKind<SglangEntry> = {
  kind: 'sglang',
  schema,
  create: (entry, context) => new HttpEngine(httpEngineOptions(entry, context, 'sglang'), new SglangAdapter()),
};
