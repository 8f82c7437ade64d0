/** `ferry models install`, `load`, `unload`, `remove`: starts an operation on a node and follows it. */
import { connect } from '../../core/api/connect.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Invocation } from '../../invocation.js';
import { confirm } from '../../core/output/confirm.js';
import { printable } from '../../../kernel/printable.js';
import { pickNode } from '../../core/api/find-node.js';
import { CliError } from '../../core/errors/cli-error.js';
import { pickEngine, pickModel } from './find-model.js';
import { subjectOf } from './operation.js';
import { printResult, sayDetached, watchOperation } from './watch-operation.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { choose } from '../../core/output/choose.js';
import { findSource } from './source/find-source.js';
import { parseHubName } from './source/hub-file.js';
import { isLocalPath } from './source/local-file.js';
import { byFreeMemory, freeMemoryText } from './source/free-memory.js';

export interface TargetOptions {
  /** Id or name. */
  readonly node?: string;
  readonly engine?: string;
  readonly detach?: true;
}

type OperationInput = Readonly<Record<string, string | number | boolean | undefined>> & {
  readonly kind: Schemas['Operation']['kind'];
};

export async function installModel(
  invocation: Invocation,
  source: string,
  options: TargetOptions & { readonly load?: true },
): Promise<void> {
  const api = await connect(invocation);
  const { load, ...target } = options;
  const place = await placeOf(api, target);
  const resolved = await resolveSource(invocation, api, source, place);
  // One operation, so that the node loads the model even when this command has ended.
  const begun = await begin(api, { kind: 'install', load, ...resolved }, place);
  if (options.detach === true) {
    await detach(invocation, begun);
    return;
  }
  const installed = await watchOperation(invocation, api, begun);
  if (load !== true) invocation.terminal.note(`  next: ferry models load ${printable(subjectOf(installed))}`);
  await printResult(invocation, installed);
}

/** A repository and a file of this computer decide about node and engine; any other source is for the engines of the node to judge. */
async function resolveSource(
  invocation: Invocation,
  api: ManagementApi,
  source: string,
  place: TargetPlace,
): Promise<{ readonly source: string; readonly node_id?: string; readonly engine?: string }> {
  const hub = parseHubName(source);
  if (hub === undefined ? !isLocalPath(source) : hub.file !== undefined) return { source };
  const { nodes = await api.list('/api/nodes'), nodeId, engine } = place;
  const { places, sizeBytes } = await findSource(invocation, api, { name: source, nodes, nodeId, engine });
  const ofEachNode = places.filter(
    (place, index) => places.findIndex((other) => other.node.node_id === place.node.node_id) === index,
  );
  const chosen = await choose(invocation.terminal, byFreeMemory(ofEachNode, sizeBytes), {
    question: `Several nodes can install ${source}`,
    label: (place) => place.node.name,
    hint: (place) => [place.engine, ...freeMemoryText(place.node)].join(' · '),
    advice: 'name one with --node',
  });
  return { source: chosen.source, node_id: chosen.node.node_id, engine: chosen.engine };
}

export async function loadModel(
  invocation: Invocation,
  model: string,
  options: TargetOptions & { readonly context?: number },
): Promise<void> {
  await change(invocation, { kind: 'load', model, context_tokens: options.context }, options);
}

export async function unloadModel(invocation: Invocation, model: string, options: TargetOptions): Promise<void> {
  await change(invocation, { kind: 'unload', model }, options);
}

export async function removeModel(
  invocation: Invocation,
  model: string,
  options: TargetOptions & { readonly yes?: true },
): Promise<void> {
  if (options.yes !== true) {
    const where = options.node === undefined ? 'its node' : options.node;
    const question = `Remove ${printable(model)} from ${printable(where)}? Its files are deleted there.`;
    if (!(await confirm(invocation.terminal, question))) {
      invocation.terminal.note('Nothing was removed.');
      return;
    }
  }
  await change(invocation, { kind: 'remove', model }, options);
}

async function change(invocation: Invocation, input: OperationInput, options: TargetOptions): Promise<void> {
  const api = await connect(invocation);
  const begun = await begin(api, input, await placeOf(api, options));
  if (options.detach === true) await detach(invocation, begun);
  else await printResult(invocation, await watchOperation(invocation, api, begun));
}

/** Prints only the operation's id on stdout, for scripts. */
async function detach(invocation: Invocation, operation: Schemas['Operation']): Promise<void> {
  await sayDetached(invocation, operation);
  if (invocation.global.output === 'table') invocation.terminal.print(operation.id);
}

/** The relay knows whole names only; one that it does not know is looked up among those that there are. */
async function begin(
  api: ManagementApi,
  input: OperationInput,
  { nodeId, engine }: TargetPlace,
): Promise<Schemas['Operation']> {
  const post = (whole: OperationInput): Promise<Schemas['Operation']> =>
    api.post('/api/operations', { body: { node_id: nodeId, engine, ...whole }, whenMissing: 'ferry models list' });
  try {
    return await post(input);
  } catch (error) {
    const { model, kind } = input;
    const isUnknown = error instanceof CliError && error.code === 'model_not_found' && typeof model === 'string';
    if (!isUnknown) throw error;
    const models = await api.list('/api/models');
    const found = pickModel(models, model, { whole: kind === 'remove' });
    // It is there, but not where it was looked for.
    if ([found.id, found.selector].includes(model)) throw error;
    return post({ ...input, model: found.selector });
  }
}

interface TargetPlace {
  readonly nodeId?: string;
  readonly engine?: string;
  /** All of them, where they were asked for. */
  readonly nodes?: readonly Schemas['Node'][];
}

/** The engine by its kind or a part of its name, so that an operation does not fail on the node after it has begun. */
async function placeOf(api: ManagementApi, { node, engine }: TargetOptions): Promise<TargetPlace> {
  if (node === undefined && engine === undefined) return {};
  const nodes = await api.list('/api/nodes');
  const nodeId = node === undefined ? undefined : pickNode(nodes, node);
  const there = nodes.filter(({ node_id }) => nodeId === undefined || node_id === nodeId);
  return {
    nodes,
    ...(nodeId !== undefined && { nodeId }),
    ...(engine !== undefined && { engine: pickEngine(there, engine) }),
  };
}
