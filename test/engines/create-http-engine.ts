/** Creates an engine as the node does: from an entry of `engines.json`, validated by its kind. */
import type { Engine } from '../../src/agent/engines/engine.js';
import type { EngineContext, EngineKind } from '../../src/agent/engines/engine-kind.js';
import { systemClock } from '../../src/kernel/clock.js';

export async function createHttpEngine<Entry extends { readonly kind: string; readonly name?: string | undefined }>(
  { kind, schema, create }: EngineKind<Entry>,
  entry: Readonly<Record<string, unknown>>,
  context: Partial<EngineContext> = {},
): Promise<Engine> {
  return create(schema.parse({ kind, ...entry }), {
    env: {},
    directory: '/',
    userAgent: 'ferry-node/test',
    clock: systemClock,
    log: () => undefined,
    ...context,
  });
}
