/** Loads an installed model where it fits. */
import { printable } from '../../../kernel/printable.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { formatBytes } from '../../core/output/quantities.js';
import type { Invocation } from '../../invocation.js';
import { isLoaded, type KnownModel, type ModelLocation } from './known-models.js';
import { byFreeMemory, fits } from './source/free-memory.js';
import { watchOperation } from './watch-operation.js';

export function placeToLoad({ places, sizeBytes }: KnownModel): ModelLocation {
  const [place = places[0]] = byFreeMemory(places, sizeBytes);
  return place;
}

/** Follows the load until its end, or until the signal. @throws CliError as watchOperation */
export async function loadKnown(
  invocation: Invocation,
  api: ManagementApi,
  model: KnownModel,
  signal?: AbortSignal,
): Promise<void> {
  if (isLoaded(model)) return;
  const { node, engine, key } = placeToLoad(model);
  warnOfRoom(invocation, node, model.sizeBytes);
  const operation = await api.post('/api/operations', {
    body: {
      kind: 'load',
      node_id: node.node_id,
      engine,
      model: key,
    },
  });
  await watchOperation(invocation, api, operation, signal);
}

export function warnOfRoom({ terminal }: Invocation, node: Schemas['Node'], sizeBytes: number | null): void {
  if (sizeBytes === null || fits(node, sizeBytes) !== false) return;
  terminal.note(
    `${printable(node.name)} has little free memory for ${formatBytes(sizeBytes)}; it may be slow or fail.`,
  );
}
