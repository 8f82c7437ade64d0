/** `ferry models install`, `load`, `unload`, `remove`: what the owner wants done, handed to a node and watched. */
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../connection/connect.js';
import type { ManagementApi } from '../connection/management-api.js';
import { CliError } from '../failure/cli-error.js';
import { exitCodes } from '../failure/exit-codes.js';
import type { Invocation } from '../invocation.js';
import { confirm } from '../output/confirm.js';
import { printable } from '../output/printable.js';
import { findNode } from '../nodes/find-node.js';
import { subjectOf, type OperationRecord } from './operation.js';
import { printResult, sayDetached, watchOperation } from './watch-operation.js';

export interface TargetOptions {
  /** Id or name. */
  readonly node?: string;
  readonly engine?: string;
  readonly detach?: true;
}

type Wish = Readonly<Record<string, string | number | undefined>> & { readonly kind: OperationRecord['kind'] };

export async function installModel(
  invocation: Invocation,
  source: string,
  options: TargetOptions & { readonly load?: true },
): Promise<void> {
  if (options.detach === true && options.load === true) {
    throw new CliError('usage', exitCodes.usage, '--load waits for the install and --detach does not: choose one');
  }
  const api = await connect(invocation);
  const begun = await begin(api, { kind: 'install', source }, options);
  if (options.detach === true) {
    await detach(invocation, begun);
    return;
  }
  const installed = await watchOperation(invocation, api, begun);
  if (options.load !== true) {
    invocation.terminal.note(`  next: ferry models load ${printable(subjectOf(installed))}`);
    await printResult(invocation, installed);
    return;
  }
  const load = await beginOnceListed(api, installed);
  await printResult(invocation, await watchOperation(invocation, api, load));
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

/** The id of the operation alone on stdout, so that scripts can take it from there. */
async function detach(invocation: Invocation, operation: OperationRecord): Promise<void> {
  await sayDetached(invocation, operation);
  if (invocation.global.output === 'table') invocation.terminal.print(operation.id);
}

async function begin(api: ManagementApi, wish: Wish, { node, engine }: TargetOptions): Promise<OperationRecord> {
  const nodeId = node === undefined ? undefined : await findNode(api, node);
  return api.post<OperationRecord>('/api/operations', { node_id: nodeId, engine, ...wish }, 'ferry models list');
}

const LISTED_WITHIN_MS = 5_000;
const ASK_AGAIN_MS = 200;

/** A node says that it has installed a model a moment before its inventory shows it. */
async function beginOnceListed(api: ManagementApi, installed: OperationRecord): Promise<OperationRecord> {
  const model = installed.model_key ?? installed.model;
  if (model === null) {
    throw new CliError('unknown_model', exitCodes.failure, 'the node did not say what it has installed', {
      hint: 'ferry models list, then: ferry models load MODEL',
    });
  }
  const wish = { kind: 'load', model, node_id: installed.node_id } as const;
  for (let waitedMs = 0; ; waitedMs += ASK_AGAIN_MS) {
    try {
      return await begin(api, wish, {});
    } catch (error) {
      const notYet = error instanceof CliError && error.exitCode === exitCodes.notFound;
      if (!notYet || waitedMs >= LISTED_WITHIN_MS) throw error;
      await delay(ASK_AGAIN_MS);
    }
  }
}
