/** `ferry models install`, `load`, `unload`, `remove`: starts an operation on a node and follows it. */
import { connect } from '../../core/api/connect.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Invocation } from '../../invocation.js';
import { confirm } from '../../core/output/confirm.js';
import { printable } from '../../../kernel/printable.js';
import { findNode } from '../../core/api/find-node.js';
import { subjectOf } from './operation.js';
import { printResult, sayDetached, watchOperation } from './watch-operation.js';
import type { Schemas } from '../../core/api/management-api.types.js';

interface TargetOptions {
  /** Id or name. */
  readonly node?: string;
  readonly engine?: string;
  readonly detach?: true;
}

type Wish = Readonly<Record<string, string | number | boolean | undefined>> & {
  readonly kind: Schemas['Operation']['kind'];
};

export async function installModel(
  invocation: Invocation,
  source: string,
  options: TargetOptions & { readonly load?: true },
): Promise<void> {
  const api = await connect(invocation);
  const { load, ...target } = options;
  // One operation, so that the node loads the model even when this command has ended.
  const begun = await begin(api, { kind: 'install', source, load }, target);
  if (options.detach === true) {
    await detach(invocation, begun);
    return;
  }
  const installed = await watchOperation(invocation, api, begun);
  if (load !== true) invocation.terminal.note(`  next: ferry models load ${printable(subjectOf(installed))}`);
  await printResult(invocation, installed);
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

async function change(invocation: Invocation, wish: Wish, options: TargetOptions): Promise<void> {
  const api = await connect(invocation);
  const begun = await begin(api, wish, options);
  if (options.detach === true) await detach(invocation, begun);
  else await printResult(invocation, await watchOperation(invocation, api, begun));
}

/** Prints only the operation's id on stdout, for scripts. */
async function detach(invocation: Invocation, operation: Schemas['Operation']): Promise<void> {
  await sayDetached(invocation, operation);
  if (invocation.global.output === 'table') invocation.terminal.print(operation.id);
}

async function begin(api: ManagementApi, wish: Wish, { node, engine }: TargetOptions): Promise<Schemas['Operation']> {
  const nodeId = node === undefined ? undefined : await findNode(api, node);
  return api.post<Schemas['Operation']>('/api/operations', { node_id: nodeId, engine, ...wish }, 'ferry models list');
}
