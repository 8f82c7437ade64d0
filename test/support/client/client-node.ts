/** What specs of clients ask: a node with `tiny` for true answers, and a scripted engine for those that a real one gives seldom. */
import { eventually } from '../clock/eventually.js';
import type { FakeCall, FakeEngine } from '../engine/fake-engine.js';
import type { RelayClient } from '../process/relay-client.js';
import { inventoryOf, TestNode } from '../process/test-node.js';

/** Resolves when `tiny` and the engine's model `fake` are in the inventory. */
export async function startClientNode(relay: RelayClient, engine: FakeEngine): Promise<TestNode> {
  const node = await TestNode.start(relay, {
    engines: [
      { kind: 'llamacpp', load: ['tiny'] },
      { kind: 'openai-compatible', base_url: engine.url, slots: 4 },
    ],
  });
  await eventually('both models are loaded', async () => {
    const inventory = await inventoryOf(relay);
    return ['tiny', 'fake'].every((name) =>
      inventory.some(({ display_name, loaded }) => display_name === name && loaded),
    );
  });
  return node;
}

const BETWEEN_WORDS_MS = 20;

/** A stream that only its reader ends. */
export async function neverEnding(call: FakeCall): Promise<void> {
  call.startStream();
  while (!call.over) {
    call.chunk({ content: 'word ' });
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_WORDS_MS));
  }
}
