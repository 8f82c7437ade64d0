import { z } from 'zod';
import type { EngineKind } from '../engine-kind.js';
import { HttpEngine } from '../http/http-engine.js';
import { httpEngineOptions, httpEntryFields } from '../http/http-entry.js';
import { LlamaServerAdapter } from './llama-server-adapter.js';

const schema = z.strictObject({ kind: z.literal('llama-server'), ...httpEntryFields });
export type LlamaServerEntry = z.output<typeof schema>;

/** llama.cpp's `llama-server`, with one model or in router mode. */
export const llamaServerKind: EngineKind<LlamaServerEntry> = {
  kind: 'llama-server',
  schema,
  create: (entry, context) =>
    new HttpEngine(httpEngineOptions(entry, context, 'llama-server'), new LlamaServerAdapter()),
};
