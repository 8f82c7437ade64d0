/**
 * Eligibility of nodes for a request, or the reason why none is eligible: checks 2–7 of docs/reference/api-behaviour.md#order-of-checks, in
 * that order. (1, the pin's ownership and the key's restriction, comes before, with the credential; 8 belongs to the queue.)
 */
import type { Continuation } from '../../../dialects/protocol.js';
import { protocols } from '../../../dialects/protocols.js';
import type { Dialect } from '../../../kernel/dialect.js';
import { FerryError, type NoNodeReason } from '../../../kernel/errors/ferry-error.js';
import type { ClusterId, NodeId } from '../../../kernel/ids.js';
import type { FieldPath, Requirements } from '../../../dialects/requirements.js';
import type { ClusterScope } from '../../inventory/cluster-scope.js';
import { inScope } from '../../inventory/cluster-scope.js';
import type { ModelEntry, ModelLookup, Placement } from '../../inventory/model-entry.js';
import { alwaysHealthy, type HealthView } from '../../nodes/health/health-view.js';
import type { OnlineNode } from '../../nodes/registry/online-node.js';
import { lackOf, meetsAll, needsOf } from './capability.js';

export interface EligibilityQuery {
  readonly pin: ClusterId | null;
  /** The pinned cluster, else the key's clusters; null: the whole account. */
  readonly scope: ClusterScope;
  readonly model: string;
  readonly dialect: Dialect;
  readonly requirements: Requirements;
  /** Absent when the request begins a conversation. */
  readonly continuation?: Continuation;
}

export interface FleetView {
  readonly nodes: Iterable<Pick<OnlineNode, 'clusterId' | 'hasReported'>>;
  find(model: string): ModelLookup;
  /** By its id; undefined: it is offline. */
  node(nodeId: NodeId): OnlineNode | undefined;
  /** Absent: health is ignored. */
  readonly health?: Pick<HealthView, 'stateOf' | 'isProbed' | 'size'>;
}

/** The eligibility verdict for one placement. */
export type Verdict =
  | 'eligible'
  | 'not_loaded'
  /** The engine does not respond. */
  | 'engine_unreachable'
  | 'lacks_capability'
  | 'paused'
  | 'draining'
  /** It failed too often, or is being probed: the last resort. */
  | 'suspect'
  /** The link of the node accepts nothing now: it is draining, or slower than the data sent to it. */
  | 'not_accepting';

export interface AssessedPlacement {
  readonly placement: Placement;
  readonly verdict: Verdict;
}

/**
 * Every placement of the model in scope, busy ones included.
 * @throws FerryError when there is none, as the table of docs/reference/api-behaviour.md#order-of-checks says.
 */
export function placementsFor(query: EligibilityQuery, fleet: FleetView): readonly Placement[] {
  if (!someNodeInScope(fleet.nodes, query.scope)) {
    throw noNode(query.pin === null ? 'no_node_online' : 'cluster_offline');
  }
  const entry = knownModel(query, fleet.find(query.model));
  const placements = continuable(placementsInScope(entry, query), query);
  // No online node has it: its node may come back.
  if (placements.length === 0) throw noNode('model_not_loaded');
  return placements;
}

/**
 * The verdicts on the placements, in their order. At least one is eligible: a suspect one is used when no better one is left. A loop, as all
 * of this decision: it runs for every placement of every request.
 * @throws FerryError as the table says.
 */
export function assessAll(
  placements: readonly Placement[],
  query: EligibilityQuery,
  { health = alwaysHealthy }: FleetView,
): readonly Verdict[] {
  const needs = needsOf(query.dialect, query.requirements);
  const verdicts: Verdict[] = [];
  let isServed = false;
  for (const placement of placements) {
    const verdict = verdictOf(placement, needs, health);
    verdicts.push(verdict);
    if (verdict === 'eligible' || verdict === 'suspect') isServed = true;
  }
  if (!isServed) throw nothingEligible(placements, needs);
  return verdicts;
}

/** For explanations of a rejection: the same without throwing; empty when the model is nowhere in scope. */
export function surveyPlacements(query: EligibilityQuery, fleet: FleetView): readonly AssessedPlacement[] {
  const lookup = fleet.find(query.model);
  if (lookup.kind !== 'found' && lookup.kind !== 'shared') return [];
  const { health = alwaysHealthy } = fleet;
  const needs = needsOf(query.dialect, query.requirements);
  return (lookup.kind === 'found' ? lookup.entry : lookup)
    .placements(query.scope)
    .map((placement) => ({ placement, verdict: verdictOf(placement, needs, health) }));
}

/** Returns only the eligible ones. @throws FerryError like {@link assessAll} */
export function eligiblePlacements(query: EligibilityQuery, fleet: FleetView): readonly Placement[] {
  const placements = placementsFor(query, fleet);
  const verdicts = assessAll(placements, query, fleet);
  return placements.filter((_, index) => verdicts[index] === 'eligible');
}

export type Needs = ReturnType<typeof needsOf>;

/** The verdict on one placement. @param needs of the request ({@link needsOf}) */
export function verdictOf(
  placement: Placement,
  needs: Needs,
  health: Pick<HealthView, 'stateOf' | 'isProbed'>,
): Verdict {
  const { node, report } = placement;
  if (!isResident(placement)) return isAway(placement) ? 'engine_unreachable' : 'not_loaded';
  if (!meetsAll(report, needs)) return 'lacks_capability';
  const { acceptsWork, status, nodeId } = node;
  if (acceptsWork) {
    const isSuspect = health.stateOf(nodeId, report.key) === 'suspect' || health.isProbed(nodeId, report.key);
    return isSuspect ? 'suspect' : 'eligible';
  }
  if (status?.paused === true) return 'paused';
  return status?.draining === true ? 'draining' : 'not_accepting';
}

/** The order of the table: not loaded, then not capable, then not accepting. */
function nothingEligible(placements: readonly Placement[], needs: Needs): FerryError {
  if (!placements.some(isResident)) return notResident(placements);
  const capable = placements.filter(({ report }) => meetsAll(report, needs));
  if (capable.length === 0) {
    return lackOf(
      placements.map(({ report }) => report),
      needs,
    );
  }
  // The model is loaded only where it lacks the capability; where it has it, it is not loaded.
  return capable.some(isResident) ? noNode('nodes_unavailable') : notResident(capable);
}

/** One whose models are still on their way does not count: the client would be told that there is no such model, which it does not try again. */
const someNodeInScope = (nodes: FleetView['nodes'], scope: ClusterScope): boolean => {
  for (const { clusterId, hasReported } of nodes) if (hasReported && inScope(scope, clusterId)) return true;
  return false;
};

function knownModel(query: EligibilityQuery, lookup: ModelLookup): Pick<ModelEntry, 'placements'> {
  const { model } = query;
  switch (lookup.kind) {
    case 'found':
      return lookup.entry;
    case 'shared':
      return lookup;
    case 'ambiguous':
      throw modelNotFound(
        `Several models are called ${quoted(model)}: use one of the selectors ${lookup.selectors.join(', ')}.`,
      );
    case 'unknown':
      throw noSuchModel(query);
    default:
      return lookup satisfies never;
  }
}

function placementsInScope(entry: Pick<ModelEntry, 'placements'>, query: EligibilityQuery): readonly Placement[] {
  const placements = entry.placements(query.scope);
  // Other clusters have the model, this one does not.
  if (placements.length === 0 && entry.placements(null).length > 0) throw noSuchModel(query);
  return placements;
}

/**
 * The placement of a continuation on its node. Gone, foreign, out of scope and without the model are one error, which must reveal nothing
 * else.
 */
function continuable(
  placements: readonly Placement[],
  { continuation, dialect }: EligibilityQuery,
): readonly Placement[] {
  if (continuation === undefined) return placements;
  const { pinnedNode, param } = continuation;
  const there = placements.filter(({ node }) => node.nodeId === pinnedNode);
  if (there.length === 0) throw continuedNotFound(dialect, param);
  return there;
}

const isResident = ({ report }: Placement): boolean => report.state === 'loaded';

const isAway = ({ report }: Placement): boolean => report.engine_unreachable === true;

/** An engine that must be started is only reported where no engine could load the model. */
function notResident(placements: readonly Placement[]): FerryError {
  if (placements.some(({ report }) => report.state === 'loading')) return noNode('model_loading');
  return noNode(placements.every(isAway) ? 'engine_unreachable' : 'model_not_loaded');
}

/** The body is the literal of docs/reference/public-api.md#errors; the reason travels in a header. */
export const noNode = (reason: NoNodeReason): FerryError => new FerryError('no_node_for_user', undefined, { reason });

/** The same message whether the relay (by the id) or the node (by its memory) detects it. */
export const continuedNotFound = (dialect: Dialect, param: FieldPath): FerryError =>
  new FerryError(protocols[dialect].continued?.notFound ?? 'previous_response_not_found', undefined, { param });

/** The same whether the model is nowhere or in other clusters, which the key may not reach. */
const noSuchModel = ({ model, scope }: EligibilityQuery): FerryError =>
  modelNotFound(`There is no model ${quoted(model)}${scope === null ? '' : ' in this scope'}.`);

const modelNotFound = (message: string): FerryError => new FerryError('model_not_found', message, { param: 'model' });

const QUOTED_CHARACTERS = 200;
const quoted = (model: string): string => `'${model.slice(0, QUOTED_CHARACTERS)}'`;
