import { Injectable } from '@nestjs/common';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { Principal } from '../platform/access/principal.js';
import type { AccountId, ModelSelector, NodeId } from '../../kernel/ids.js';
import { Catalogue } from '../inventory/catalogue.js';
import type { ModelLookup } from '../inventory/model-entry.js';
import { NodesService } from '../nodes/nodes.service.js';
import { ReachableNodes } from '../nodes/registry/reachable-nodes.js';
import { printable } from '../../kernel/printable.js';
import type { Operation, OperationRequest } from './operation.js';
import { chooseTarget, onlyNode, type Candidate, type NamedNode } from './choose-target.js';
import type { CreateOperationDto } from './create-operation.dto.js';

/** Resolves a request to the node, engine and model of the operation. */
@Injectable()
export class OperationTargets {
  constructor(
    private readonly nodes: NodesService,
    private readonly reachable: ReachableNodes,
    private readonly catalogue: Catalogue,
  ) {}

  /** @throws FerryError `invalid_request`, `not_found`, `model_not_found`, `node_offline` */
  async resolve(
    accountId: AccountId,
    input: CreateOperationDto,
    createdBy: Principal['credential']['id'],
  ): Promise<OperationRequest> {
    const named = input.node_id ?? null;
    const engine = input.engine ?? null;
    const only = named === null ? undefined : await this.online(accountId, named);
    if (input.kind === 'install') {
      if (input.source == null) throw missing('source', 'an install needs the source to install from');
      const { nodeId, name: nodeName } = only ?? (await this.onlyNode(accountId));
      const { kind, source } = input;
      const loadAfter = input.load === true;
      const unknown = { modelKey: null, model: null, contextTokens: null } as const;
      return { nodeId, nodeName, kind, engine, source, loadAfter, createdBy, ...unknown };
    }
    const { kind, model } = input;
    if (model == null) throw missing('model', `${kind} needs the model`);
    if (input.load === true) throw missing('load', 'only an install takes it');
    if (kind !== 'load' && input.context_tokens != null) throw missing('context_tokens', 'only a load takes it');
    const { candidates, name } = this.find(accountId, model, input);
    const { nodeId, nodeName, report } = chooseTarget(candidates, { kind, model, engine });
    return {
      nodeId,
      nodeName,
      kind,
      engine: report.engine,
      modelKey: report.key,
      model: name,
      source: null,
      loadAfter: false,
      contextTokens: input.context_tokens ?? null,
      createdBy,
    };
  }

  /** The request of an earlier operation, by another credential. @throws FerryError `not_found`, `node_offline` */
  async again(
    accountId: AccountId,
    { nodeId, kind, engine, modelKey, model, source, loadAfter, contextTokens }: Operation,
    createdBy: Principal['credential']['id'],
  ): Promise<OperationRequest> {
    const { name: nodeName } = await this.online(accountId, nodeId);
    // An install that succeeded knows the key of its model; its subject is the source.
    const key = kind === 'install' ? null : modelKey;
    return { nodeId, nodeName, kind, engine, modelKey: key, model, source, loadAfter, contextTokens, createdBy };
  }

  /** Finds a model by public id or selector, else by a node's key. */
  private find(
    accountId: AccountId,
    model: string,
    { node_id: node = null, engine = null, kind }: CreateOperationDto,
  ): { candidates: Candidate[]; name: string } {
    const lookup = this.catalogue.find(accountId, model);
    if (lookup.kind === 'ambiguous') throw sharedName(model, lookup.selectors);
    // Also when only one of them is online: the target must not depend on which nodes are online. An unload concerns loaded ones only.
    if (lookup.kind === 'shared' && kind !== 'unload' && node === null && engine === null) {
      throw sharedName(model, lookup.selectors);
    }
    const byKey = lookup.kind === 'unknown';
    const candidates = this.candidates(accountId, model, lookup);
    const there = candidates.filter(({ nodeId, report }) => (node === null || nodeId === node) && isClean(report.key));
    if (there.length > 0) {
      const name =
        lookup.kind === 'found' ? lookup.entry.id : lookup.kind === 'shared' ? model : this.nameOf(accountId, there);
      return { candidates: there, name };
    }
    if (!byKey && candidates.length === 0) {
      throw new FerryError('node_offline', `No node that has "${model}" is online.`, { param: 'model' });
    }
    throw new FerryError('model_not_found', `"${model}" is not installed there.`, { param: 'model' });
  }

  private candidates(
    accountId: AccountId,
    model: string,
    lookup: Exclude<ModelLookup, { kind: 'ambiguous' }>,
  ): Candidate[] {
    switch (lookup.kind) {
      case 'found':
        return lookup.entry.placements(null).map(toCandidate);
      case 'shared':
        return lookup.placements(null).map(toCandidate);
      case 'unknown':
        return this.byKey(accountId, model);
      default:
        return lookup satisfies never;
    }
  }

  private byKey(accountId: AccountId, key: string): Candidate[] {
    return [...this.reachable.onlineIn(accountId)].flatMap((node) => {
      const report = node.models.get(key);
      return report === undefined ? [] : [toCandidate({ node, report })];
    });
  }

  private nameOf(accountId: AccountId, [first]: readonly Candidate[]): string {
    const report = first && this.reachable.find(accountId, first.nodeId)?.models.get(first.report.key);
    const lookup = report && this.catalogue.find(accountId, report.selector);
    return lookup?.kind === 'found' ? lookup.entry.id : (report?.display_name ?? '');
  }

  private async online(accountId: AccountId, nodeId: NodeId): Promise<NamedNode> {
    const node = this.reachable.find(accountId, nodeId);
    if (node !== undefined) return node;
    const known = (await this.nodes.list(accountId)).find((enrolled) => enrolled.nodeId === nodeId);
    // It may be connected to another replica.
    if (known?.online === true) return known;
    if (known !== undefined) throw new FerryError('node_offline');
    throw new FerryError('not_found', 'There is no node with this id.', { param: 'node_id' });
  }

  /** Among all enrolled nodes: the target must not depend on which nodes are online. */
  private async onlyNode(accountId: AccountId): Promise<NamedNode> {
    return onlyNode(await this.nodes.list(accountId));
  }
}

const toCandidate = ({
  node,
  report,
}: {
  readonly node: NamedNode;
  readonly report: Candidate['report'];
}): Candidate => ({ nodeId: node.nodeId, nodeName: node.name, report });

/** Excludes keys that cannot be stored or displayed unchanged. */
const isClean = (key: string): boolean => printable(key, '') === key;

const sharedName = (name: string, selectors: readonly ModelSelector[]): FerryError =>
  new FerryError('invalid_request', `Several models are called "${name}": use one of ${selectors.join(', ')}.`, {
    param: 'model',
  });

const missing = (param: string, rule: string): FerryError => new FerryError('invalid_request', `${rule}.`, { param });
