/** `ferry run`: finds a model, loads it where it fits, and chats with it. */
import { printable } from '../../../kernel/printable.js';
import { connect } from '../../core/api/connect.js';
import { findNode } from '../../core/api/find-node.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { formatBytes } from '../../core/output/quantities.js';
import type { Invocation } from '../../invocation.js';
import { chat, type ChatOptions } from '../chat/chat.js';
import { watchOperation } from '../models/watch-operation.js';
import { choose } from './choose.js';
import {
  byFreeMemory,
  fits,
  hubSource,
  isLoaded,
  knownModels,
  matching,
  parseHubName,
  type KnownModel,
} from './find-model.js';
import { chooseFile } from './hub-file.js';

export interface RunOptions extends Pick<ChatOptions, 'system' | 'maxTokens' | 'reasoning' | 'key'> {
  readonly node?: string;
}

type Node = Schemas['Node'];

export async function run(
  invocation: Invocation,
  name: string,
  words: readonly string[],
  { node, ...chatOptions }: RunOptions,
): Promise<void> {
  const api = await connect(invocation);
  const nodeId = node === undefined ? undefined : await findNode(api, node);
  const model = await readyModel(invocation, api, name, nodeId);
  await chat(invocation, words, { ...chatOptions, model });
}

/** The id of the loaded model. @throws CliError when there is none, or none could be loaded */
async function readyModel(
  invocation: Invocation,
  api: ManagementApi,
  name: string,
  nodeId: string | undefined,
): Promise<string> {
  const [models, all] = await Promise.all([api.list<Schemas['Model']>('/api/models'), api.list<Node>('/api/nodes')]);
  const nodes = all.filter(({ node_id }) => nodeId === undefined || node_id === nodeId);
  const hub = parseHubName(name);
  const found = hub === undefined ? matching(knownModels(models, nodes), name) : [];
  if (found.length > 0) return loaded(invocation, api, await chooseKnown(invocation, name, found));
  if (hub !== undefined) {
    const { repository, file } = await chooseFile(invocation, api, hub, name);
    const places = placesFor(nodes, (kind) => hubSource(kind, repository, file));
    return installed(invocation, api, places, { name, sizeBytes: file.size_bytes });
  }
  if (/^https?:\/\//.test(name)) {
    const places = placesFor(nodes, (kind) => (kind === 'llamacpp' ? name : undefined));
    return installed(invocation, api, places, { name, sizeBytes: null });
  }
  if (/^[.~]?[\\/]|\.gguf$/i.test(name)) throw localFile(name);
  const places = placesFor(nodes, (kind) => (kind === 'ollama' ? name : undefined));
  if (places.length === 0) throw unknownModel(name);
  return installed(invocation, api, places, { name, sizeBytes: null });
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

async function loaded(invocation: Invocation, api: ManagementApi, model: KnownModel): Promise<string> {
  if (isLoaded(model)) return model.id;
  const [place] = byFreeMemory(model.places, model.sizeBytes);
  if (place === undefined) throw unknownModel(model.id);
  warnOfRoom(invocation, place.node, model.sizeBytes);
  const operation = await api.post<Schemas['Operation']>('/api/operations', {
    kind: 'load',
    node_id: place.node.node_id,
    engine: place.engine,
    model: place.key,
  });
  await watchOperation(invocation, api, operation);
  return model.id;
}

interface InstallPlace {
  readonly node: Node;
  readonly engine: string;
  readonly source: string;
}

const placesFor = (nodes: readonly Node[], sourceFor: (kind: string) => string | undefined): readonly InstallPlace[] =>
  nodes
    .filter(({ online, accepts_work }) => online && accepts_work)
    .flatMap((node) =>
      node.engines.flatMap(({ name: engine, kind, problem }) => {
        const source = problem === null ? sourceFor(kind) : undefined;
        return source === undefined ? [] : [{ node, engine, source }];
      }),
    );

async function installed(
  invocation: Invocation,
  api: ManagementApi,
  places: readonly InstallPlace[],
  { name, sizeBytes }: { readonly name: string; readonly sizeBytes: number | null },
): Promise<string> {
  const [place] = byFreeMemory(places, sizeBytes);
  if (place === undefined) {
    throw new CliError('no_eligible_node', exitCodes.noEligibleNode, `no node that is online can install ${name}`, {
      hint: 'ferry nodes; the built-in engine installs hf: and https sources, Ollama names such as qwen3:8b',
    });
  }
  warnOfRoom(invocation, place.node, sizeBytes);
  const { node, engine, source } = place;
  const operation = await api.post<Schemas['Operation']>('/api/operations', {
    kind: 'install',
    node_id: node.node_id,
    engine,
    source,
    load: true,
  });
  const done = await watchOperation(invocation, api, operation);
  return publicId(api, done);
}

/** The name in the inventory, which may follow the operation with a delay. */
async function publicId(api: ManagementApi, { model, model_key, node_id }: Schemas['Operation']): Promise<string> {
  if (model !== null) return model;
  const node = await api.get<Node>(`/api/nodes/${encodeURIComponent(node_id)}`);
  const own = node.models.find(({ key }) => key === model_key);
  if (own !== undefined) return own.selector;
  throw new CliError('model_not_found', exitCodes.notFound, 'the node does not report the model that it installed', {
    hint: 'ferry models list',
  });
}

function warnOfRoom({ terminal }: Invocation, node: Node, sizeBytes: number | null): void {
  if (sizeBytes === null || fits(node, sizeBytes) !== false) return;
  terminal.note(
    `${printable(node.name)} has little free memory for ${formatBytes(sizeBytes)}; it may be slow or fail.`,
  );
}

const unknownModel = (name: string): CliError =>
  new CliError(
    'model_not_found',
    exitCodes.notFound,
    `no computer has a model "${name}", and none has an engine that could get it`,
    {
      hint: `ferry models search ${name}, then: ferry run hf:OWNER/REPO`,
    },
  );

const localFile = (name: string): CliError =>
  new CliError(
    'usage',
    exitCodes.usage,
    `${name} is a file of this computer, and nodes read models from their own folder`,
    {
      hint: 'put it into the models folder of the node (ferry node status), then: ferry run NAME',
    },
  );
