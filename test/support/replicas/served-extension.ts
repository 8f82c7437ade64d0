/** How long replicas take to apply the switch of an extension. */
import { eventually } from '../clock/eventually.js';
import type { RelayClient } from '../process/relay-client.js';

/** Of no model, because a replica without a bus does not have the models of another one: with the route, it is 404 for another reason. */
const ROUTE = '/v1/models/unknown';

/** @returns milliseconds from the response to the switch until every replica has `model-by-id` on, or off */
export async function servedWithin(
  at: RelayClient,
  replicas: readonly RelayClient[],
  enabled: boolean,
): Promise<number> {
  await at.manage('PATCH', '/extensions/model-by-id', { enabled });
  const beganMs = performance.now();
  await Promise.all(
    replicas.map((replica) =>
      eventually('the switch is applied', async () => {
        const text = await (await replica.fetch(ROUTE)).text();
        return text.includes(enabled ? 'There is no model' : 'There is no route');
      }),
    ),
  );
  const tookMs = performance.now() - beganMs;
  process.stdout.write(`model-by-id ${enabled ? 'on' : 'off'} at every replica after ${tookMs.toFixed(0)} ms\n`);
  return tookMs;
}
