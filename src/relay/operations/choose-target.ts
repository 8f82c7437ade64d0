/** Resolves the engine and node of an operation, as a pure function of the account's models. */
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { NodeId } from '../../kernel/ids.js';
import type { ReportedModel } from '../nodes/registry/online-node.js';

export interface NamedNode {
  readonly nodeId: NodeId;
  readonly name: string;
}

/** A model on an engine of a node. */
export interface Candidate {
  readonly nodeId: NodeId;
  readonly nodeName: string;
  readonly report: Pick<ReportedModel, 'key' | 'engine' | 'state' | 'selector'>;
}

export interface TargetQuery {
  readonly kind: 'load' | 'unload' | 'remove';
  /** The request's spelling is repeated in messages. */
  readonly model: string;
  readonly engine: string | null;
}

/**
 * The only matching candidate. An unload prefers candidates that are loaded.
 * @throws FerryError `not_found`, or `invalid_request` that names the choices
 */
export function chooseTarget(candidates: readonly Candidate[], { kind, model, engine }: TargetQuery): Candidate {
  const ofEngine = engine === null ? candidates : candidates.filter(({ report }) => report.engine === engine);
  const resident = ofEngine.filter(({ report }) => report.state !== 'installed');
  const meant = kind === 'unload' && resident.length > 0 ? resident : ofEngine;
  const [first] = meant;
  if (first === undefined) {
    throw new FerryError('model_not_found', `No engine "${engine ?? ''}" has the model "${model}" there.`, {
      param: 'engine',
    });
  }
  if (meant.some(({ report }) => report.selector !== first.report.selector)) throw severalModels(model, meant);
  const nodes = new Map(meant.map(({ nodeId, nodeName }) => [nodeId, nodeName]));
  if (nodes.size > 1) throw ambiguous(`"${model}"`, nodes);
  if (meant.length > 1) {
    const engines = meant.map(({ report }) => report.engine).join(', ');
    throw new FerryError('invalid_request', `Several engines of the node have "${model}": ${engines}. Name one.`, {
      param: 'engine',
    });
  }
  return first;
}

/** Refuses an ambiguous name: an operation never guesses between different models. */
export function severalModels(model: string, candidates: readonly Candidate[]): FerryError {
  const places = new Map<string, string[]>();
  for (const { nodeName, report } of candidates) {
    const there = places.get(report.selector) ?? [];
    there.push(`${report.engine} on ${nodeName}`);
    places.set(report.selector, there);
  }
  const choices = Array.from(places, ([selector, there]) => `${selector} (${there.join(', ')})`).join(', ');
  return new FerryError('invalid_request', `"${model}" matches several models: ${choices}. Use a selector.`, {
    param: 'model',
  });
}

/** @throws FerryError `node_offline` when there is none, `invalid_request` that names them when there are several */
export function onlyNode(nodes: readonly NamedNode[]): NamedNode {
  const [first, second] = nodes;
  if (first === undefined) throw new FerryError('node_offline', 'This account has no node yet.');
  if (second !== undefined) throw ambiguous('this', new Map(nodes.map(({ nodeId, name }) => [nodeId, name])));
  return first;
}

const ambiguous = (what: string, nodes: ReadonlyMap<NodeId, string>): FerryError => {
  const names = Array.from(nodes, ([id, name]) => `${name} (${id})`).join(', ');
  return new FerryError('invalid_request', `Several nodes are possible for ${what}: ${names}. Name one.`, {
    param: 'node_id',
  });
};
