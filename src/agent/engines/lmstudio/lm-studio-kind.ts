import { z } from 'zod';
import type { EngineKind } from '../engine-kind.js';
import { baseUrlField } from '../entry-fields.js';
import { HttpEngine } from '../http/http-engine.js';
import { httpEngineOptions, httpEntryFields } from '../http/http-entry.js';
import { LmStudioAdapter } from './lm-studio-adapter.js';

const DEFAULT_ADDRESS = 'http://127.0.0.1:1234';

const schema = z.strictObject({
  kind: z.literal('lmstudio'),
  ...httpEntryFields,
  base_url: baseUrlField.default(new URL(DEFAULT_ADDRESS)),
});

export const lmStudioKind: EngineKind<z.output<typeof schema>> = {
  kind: 'lmstudio',
  schema,
  create: (entry, context) => new HttpEngine(httpEngineOptions(entry, context, 'lmstudio'), new LmStudioAdapter()),
};
