/** How long replicas take to apply the switch of an extension. */
import { eventually } from '../clock/eventually.js';
import type { RelayClient } from '../process/relay-client.js';
import { inventoryOf } from '../process/test-node.js';

const OK = 200;
const UNKNOWN_ROUTE = 404;

/** @returns milliseconds from the response to the switch until every replica has `model-by-id` on, or off */
export async function servedWithin(
  at: RelayClient,
  replicas: readonly RelayClient[],
  enabled: boolean,
): Promise<number> {
  const [model] = await eventually('a model is listed', async () => {
    const models = await inventoryOf(at);
    return models.length > 0 && models;
  });
  const route = `/v1/models/${model?.id ?? ''}`;
  await at.manage('PATCH', '/extensions/model-by-id', { enabled });
  const beganMs = performance.now();
  await Promise.all(
    replicas.map((replica) =>
      eventually('the switch is applied', async () => {
        const { status } = await replica.fetch(route);
        return status === (enabled ? OK : UNKNOWN_ROUTE);
      }),
    ),
  );
  const tookMs = performance.now() - beganMs;
  process.stdout.write(`model-by-id ${enabled ? 'on' : 'off'} at every replica after ${tookMs.toFixed(0)} ms\n`);
  return tookMs;
}
