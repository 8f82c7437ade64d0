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
  const loaded = eventually('both models are loaded', async () => {
    const inventory = await inventoryOf(relay);
    return ['tiny', 'fake'].every((name) =>
      inventory.some(({ display_name, loaded }) => display_name === name && loaded),
    );
  });
  // The caller has no node to stop then.
  await loaded.catch(async (error: unknown) => {
    await node.stop();
    throw error;
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

/** Time for the words to leave before what follows them. */
const BEFORE_FAILURE_MS = 50;

/** A stream of three words that the engine then gives up, saying why. */
export const cutMidway =
  (words: string) =>
  async (call: FakeCall): Promise<void> => {
    call.startStream();
    for (const word of ['half ', 'an ', 'answer'])
      call.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'fake', choices: [{ index: 0, delta: { content: word }, text: word, finish_reason: null }] })}\n\n`,
      );
    await new Promise((resolve) => setTimeout(resolve, BEFORE_FAILURE_MS));
    call.write(`data: ${JSON.stringify({ error: { message: words, code: 500 } })}\n\n`);
    call.end();
  };
