/** Sends one request through the node's request server to an engine, and returns what the relay would see. */
import type { Engine, EngineModel } from '../../src/agent/engines/engine.js';
import { set, type RecordedStream } from '../support/agent/inference.harness.js';

/** @returns the link frames that the node responds with, such as `reject not_loaded` */
export async function askThroughGate(
  engine: Engine,
  models: readonly EngineModel[],
  name: string,
): Promise<RecordedStream> {
  const model = models.find(({ engine_model: candidate }) => candidate === name);
  if (model === undefined) throw new Error(`there is no ${name}`);
  const bench = set((call) => engine.run({ ...call, engineModel: name }), {
    state: model.state === 'loaded' ? 'loaded' : 'installed',
  });
  const body = JSON.stringify({ model: 'public-name', messages: [{ role: 'user', content: 'Hello' }] });
  const { stream } = bench.open({}, body);
  if (stream.log[0] !== 'ack') return stream;
  if (stream.ended === undefined) await new Promise<void>((resolve) => (stream.onEnd = resolve));
  return stream;
}
