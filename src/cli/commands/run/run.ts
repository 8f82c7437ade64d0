/** `ferry run`: finds a model, loads it where it fits, and chats with it. */
import { connect } from '../../core/api/connect.js';
import { findNode } from '../../core/api/find-node.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { choose } from '../../core/output/choose.js';
import { formatBytes } from '../../core/output/quantities.js';
import type { Invocation } from '../../invocation.js';
import { chat, type ChatOptions } from '../chat/chat.js';
import { isLoaded, knownModels, matching, type KnownModel } from '../models/known-models.js';
import { pickEngine } from '../models/find-model.js';
import { loadKnown, warnOfRoom } from '../models/load-known.js';
import { watchOperation } from '../models/watch-operation.js';
import { findSource, type InstallSource } from '../models/source/find-source.js';
import { parseHubName } from '../models/source/hub-file.js';
import { byFreeMemory } from '../models/source/free-memory.js';

export interface RunOptions extends Pick<ChatOptions, 'system' | 'maxTokens' | 'reasoning' | 'key'> {
  readonly node?: string;
  readonly engine?: string;
}

export async function run(
  invocation: Invocation,
  name: string,
  words: readonly string[],
  { node, engine, ...chatOptions }: RunOptions,
): Promise<void> {
  const api = await connect(invocation);
  const nodeId = node === undefined ? undefined : await findNode(api, node);
  const model = await readyModel(invocation, api, name, { nodeId, engine });
  await chat(invocation, words, { ...chatOptions, model });
}

/** The id of the loaded model. @throws CliError when there is none, or none could be loaded */
async function readyModel(
  invocation: Invocation,
  api: ManagementApi,
  name: string,
  { nodeId, engine }: { readonly nodeId: string | undefined; readonly engine: string | undefined },
): Promise<string> {
  const [models, all] = await Promise.all([api.list('/api/models'), api.list('/api/nodes')]);
  const nodes = all.filter(({ node_id }) => nodeId === undefined || node_id === nodeId);
  const found = parseHubName(name) === undefined ? matching(knownModels(models, nodes), name) : [];
  if (found.length > 0) {
    const model = await chooseKnown(invocation, name, found);
    await loadKnown(invocation, api, model);
    return model.id;
  }
  const chosenEngine = engine === undefined ? undefined : pickEngine(nodes, engine);
  const query = { name, nodes: all, nodeId, engine: chosenEngine, known: models.map(({ id }) => id) };
  return installed(invocation, api, await findSource(invocation, api, query));
}

async function chooseKnown(invocation: Invocation, name: string, found: readonly KnownModel[]): Promise<KnownModel> {
  return choose(invocation.terminal, found, {
    question: `${name} · ${String(found.length)} matches`,
    label: ({ id }) => id,
    hint: ({ sizeBytes, places, ...model }) =>
      [
        sizeBytes === null ? '' : formatBytes(sizeBytes),
        isLoaded({ ...model, sizeBytes, places }) ? 'loaded' : 'installed',
        `on ${places.map(({ node }) => node.name).join(', ')}`,
      ]
        .filter((part) => part !== '')
        .join(' · '),
  });
}

async function installed(
  invocation: Invocation,
  api: ManagementApi,
  { places, sizeBytes }: InstallSource,
): Promise<string> {
  const [place = places[0]] = byFreeMemory(places, sizeBytes);
  warnOfRoom(invocation, place.node, sizeBytes);
  const { node, engine, source } = place;
  const operation = await api.post('/api/operations', {
    body: {
      kind: 'install',
      node_id: node.node_id,
      engine,
      source,
      load: true,
    },
  });
  const done = await watchOperation(invocation, api, operation);
  return publicId(api, done);
}

/** The name in the inventory, which may follow the operation with a delay. */
async function publicId(api: ManagementApi, { model, model_key, node_id }: Schemas['Operation']): Promise<string> {
  if (model !== null) return model;
  const node = await api.get('/api/nodes/{nodeId}', { path: { nodeId: node_id } });
  const own = node.models.find(({ key }) => key === model_key);
  if (own !== undefined) return own.selector;
  throw new CliError('model_not_found', exitCodes.notFound, 'the node does not report the model that it installed', {
    hint: 'ferry models list',
  });
}
