/** From what a person calls a model that is not installed to the nodes and engines that can install it. */
import type { ManagementApi } from '../../../core/api/management-api.js';
import type { Schemas } from '../../../core/api/management-api.types.js';
import { didYouMean } from '../../../core/args/pick-named.js';
import { CliError } from '../../../core/errors/cli-error.js';
import { exitCodes } from '../../../core/errors/exit-codes.js';
import type { Invocation } from '../../../invocation.js';
import { chooseFile, hubSource, parseHubName } from './hub-file.js';
import { findLocalModel, isLocalPath } from './local-file.js';

type Node = Schemas['Node'];

export interface InstallPlace {
  readonly node: Node;
  /** The engine's name on its node. */
  readonly engine: string;
  /** The engine's own name for the source. */
  readonly source: string;
}

export interface InstallSource {
  /** On a node with several engines the likeliest one comes first. */
  readonly places: readonly [InstallPlace, ...InstallPlace[]];
  readonly sizeBytes: number | null;
}

export interface SourceQuery {
  readonly name: string;
  /** The account's. */
  readonly nodes: readonly Node[];
  readonly nodeId: string | undefined;
  readonly engine: string | undefined;
  /** Names of models that there are, one of which may be meant. */
  readonly known?: readonly string[];
}

/** Kinds of engines whose catalogue could have the name, the likeliest first: the same model has another name in each. */
function cataloguesFor(name: string): readonly string[] {
  if (name.includes(':')) return ['ollama'];
  return name.includes('/') ? ['lmstudio', 'ollama', 'localai'] : ['ollama', 'localai', 'lmstudio'];
}

const hubKinds = ['llamacpp', 'ollama', 'lmstudio', 'llama-server'] as const;

/** @throws CliError when there is no such file or repository, or no engine could install it */
export async function findSource(
  invocation: Invocation,
  api: ManagementApi,
  query: SourceQuery,
): Promise<InstallSource> {
  const { places, sizeBytes } = await possible(invocation, api, query);
  const [first, ...others] = places;
  if (first !== undefined) return { places: [first, ...others], sizeBytes };
  const { name, engine, known = [] } = query;
  if (isCatalogueName(name)) {
    throw new CliError(
      'model_not_found',
      exitCodes.notFound,
      `no computer has a model "${name}", and none has an engine that could get it`,
      { hint: didYouMean(name, known) ?? searchThenRun(name) },
    );
  }
  const how = engine === undefined ? '' : ` with ${engine}`;
  throw new CliError('no_eligible_node', exitCodes.noEligibleNode, `no node that is online can install ${name}${how}`, {
    hint: 'ferry nodes; the built-in engine installs files, hf: and https sources, Ollama names such as qwen3:8b',
  });
}

/** The way to a model of Hugging Face. Its search has no tags of Ollama, nor owners. */
export const searchThenRun = (name: string): string =>
  `ferry models search ${name.split('/').at(-1)?.split(':')[0] ?? name}, then: ferry run hf:OWNER/REPO`;

const isAddress = (name: string): boolean => /^https?:\/\//i.test(name);

const isCatalogueName = (name: string): boolean =>
  parseHubName(name) === undefined && !isAddress(name) && !isLocalPath(name);

interface PossiblePlaces {
  readonly places: readonly InstallPlace[];
  readonly sizeBytes: number | null;
}

async function possible(invocation: Invocation, api: ManagementApi, query: SourceQuery): Promise<PossiblePlaces> {
  const { name, nodes, nodeId } = query;
  const hub = parseHubName(name);
  if (hub !== undefined) {
    const { repository, file } = await chooseFile(invocation, api, hub, name);
    const places = placesOf(query, hubKinds, (kind) => hubSource(kind, repository, file));
    return { places, sizeBytes: file.size_bytes };
  }
  if (isAddress(name)) return { places: placesOf(query, ['llamacpp'], () => name), sizeBytes: null };
  if (isLocalPath(name)) {
    const { node, sizeBytes, offer } = await findLocalModel(invocation.env, name, nodes, nodeId);
    const places = placesOf({ ...query, nodes: [node] }, ['llamacpp'], () => '');
    const source = places.length > 0 ? await offer() : '';
    return { places: places.map((place) => ({ ...place, source })), sizeBytes };
  }
  const byKind = cataloguesFor(name).map((kind) => placesOf(query, [kind], () => name));
  return { places: byKind.find((places) => places.length > 0) ?? [], sizeBytes: null };
}

function placesOf(
  { nodes, nodeId, engine }: SourceQuery,
  kinds: readonly string[],
  sourceFor: (kind: string) => string | undefined,
): readonly InstallPlace[] {
  return nodes
    .filter((node) => node.online && node.accepts_work && (nodeId === undefined || node.node_id === nodeId))
    .flatMap((node) =>
      node.engines
        .filter(({ name, kind, problem }) => {
          const isRequested = engine === undefined || name === engine;
          return isRequested && problem === null && kinds.includes(kind);
        })
        .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
        .flatMap(({ name, kind }) => {
          const source = sourceFor(kind);
          return source === undefined ? [] : [{ node, engine: name, source }];
        }),
    );
}
