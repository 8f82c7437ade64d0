/** The load generator, in its own process. The latency of scheduled work counts from the time it was due (no coordinated omission). */
import { setTimeout as delay } from 'node:timers/promises';
import { ChatClient } from './chat-client.js';
import { createLoad, type Load } from './loads.js';
import type { Command, Destination, Result } from './load-protocol.js';
import { Recorder } from './recorder.js';

/** Few connections, so that the warm-up does not increase the memory of the target. */
const WARM_UP_CONNECTIONS = 8;
const WARM_UP_EVENTS = 16;

let recorder = new Recorder();
let load: Load | undefined;
let chat: ChatClient | undefined;

async function run(command: Command): Promise<Result> {
  switch (command.command) {
    case 'prepare': {
      await warmUp(command.destination, command.warmUpMs);
      recorder = new Recorder();
      chat = new ChatClient(command.destination, recorder);
      load = createLoad(command.spec, chat, recorder, command.destination);
      return { units: 0 };
    }
    case 'start':
      await load?.start();
      return { units: units() };
    case 'begin':
    case 'end':
      recorder.measure(command.command === 'begin');
      return { units: units() };
    case 'finish':
      await load?.finish();
      chat?.close();
      return { units: units(), result: recorder.result() };
  }
}

const units = (): number => (recorder.events > 0 ? recorder.events : recorder.requests);

/** Lets the JIT compiler of the target settle, which the measurement would include otherwise. @throws when the target does not respond */
async function warmUp(destination: Destination, warmUpMs: number): Promise<void> {
  if (warmUpMs === 0) return;
  const warming = new Recorder();
  const client = new ChatClient(destination, warming);
  const common = { connections: WARM_UP_CONNECTIONS, padBytes: 20, bodyBytes: 200, events: WARM_UP_EVENTS };
  for (const kind of ['bursts', 'requests'] as const) {
    const loop = createLoad({ kind, ...common }, client, warming, destination);
    await loop.start();
    await delay(warmUpMs / 2);
    await loop.finish();
  }
  client.close();
  const { failures, requests, firstFailure } = warming.result();
  if (failures > requests) throw new Error(`the target does not answer: ${firstFailure ?? ''}`);
}

process.on('message', (command: Command) => {
  run(command).then(
    (reply) => process.send?.({ reply }),
    (error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
