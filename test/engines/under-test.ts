/** A fake server with the node's engine for it, for the shared engine suite. */
import type { EngineKind } from '../../src/agent/engines/engine-kind.js';
import { createHttpEngine } from './create-http-engine.js';
import type { EngineUnderTest } from './engine-under-test.js';
import type { FakeServer } from './fakes/fake-server.js';

export interface FakeModels {
  readonly resident: string;
  readonly installed?: string;
  /** Unloads the resident model without the node's knowledge. */
  readonly evict?: () => void;
}

export async function underTest<Entry extends { readonly kind: string; readonly name?: string | undefined }>(
  kind: EngineKind<Entry>,
  server: FakeServer,
  { pollMs }: { readonly pollMs: number },
  { resident, installed, evict }: FakeModels,
): Promise<EngineUnderTest> {
  const engine = await createHttpEngine(kind, { base_url: server.url, poll_ms: pollMs });
  return {
    engine,
    resident,
    ...(installed === undefined ? {} : { installed }),
    ...(evict === undefined ? {} : { evict: async () => Promise.resolve().then(evict) }),
    inferenceCalls: () => server.inferenceCalls(),
    quit: () => server.stop(),
    stop: async () => {
      await engine.stop();
      await server.stop();
    },
  };
}
