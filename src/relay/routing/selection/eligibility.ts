/**
 * Which nodes may serve a request, or why none may: checks 2–7 of design §4, in that order. (1, the pin's ownership and the key's
 * restriction, comes before, with the credential; 8 belongs to the queue.)
 */
import type { Dialect } from '../../../kernel/dialect.js';
import { FerryError, type NoNodeReason } from '../../../kernel/errors/ferry-error.js';
import type { ClusterId, NodeId } from '../../../kernel/ids.js';
import type { FieldPath, Requirements } from '../../../dialects/requirements.js';
import type { ClusterScope } from '../../inventory/cluster-scope.js';
import { inScope } from '../../inventory/cluster-scope.js';
import type { ModelEntry, ModelLookup, Placement } from '../../inventory/model-entry.js';
import type { OnlineNode } from '../../nodes/online/online-node.js';
import { lackOf, meetsAll, needsOf } from './capability.js';

export interface EligibilityQuestion {
  readonly pin: ClusterId | null;
  /** The pinned cluster, else what the key may reach; null is the whole account. */
  readonly scope: ClusterScope;
  readonly model: string;
  readonly dialect: Dialect;
  readonly requirements: Requirements;
  /** Absent when the request begins a conversation. */
  readonly continuation?: Continuation;
}

/** A conversation is in the memory of one node: only that one can go on, and no second run elsewhere is possible (reliability §2.8). */
export interface Continuation {
  /** null: what the client continues is no response of its account. */
  readonly pinnedNode: NodeId | null;
  /** The field that says what is continued. */
  readonly param: FieldPath;
}

export interface FleetView {
  readonly nodes: Iterable<Pick<OnlineNode, 'clusterId'>>;
  find(model: string): ModelLookup;
}

/**
 * @returns at least one placement; busy ones included.
 * @throws FerryError as the table of design §4 says.
 */
export function eligiblePlacements(question: EligibilityQuestion, fleet: FleetView): readonly Placement[] {
  if (!someNodeInScope(fleet.nodes, question.scope)) {
    throw noNode(question.pin === null ? 'no_node_online' : 'cluster_offline');
  }
  const entry = knownModel(question.model, fleet.find(question.model));
  const placements = continuable(placementsInScope(entry, question), question);
  // Nobody online has it: its node is away and may come back.
  if (placements.length === 0) throw noNode('model_not_loaded');

  const resident = placements.filter(isResident);
  if (resident.length === 0) throw notResident(placements);

  const needs = needsOf(question.dialect, question.requirements);
  const capable = placements.filter(({ report }) => meetsAll(report, needs));
  if (capable.length === 0) {
    throw lackOf(
      placements.map(({ report }) => report),
      needs,
    );
  }
  refuseRemoteMedia(question.requirements);
  // The model is loaded, but only where it cannot do this; where it could, it is not loaded.
  const ready = capable.filter(isResident);
  if (ready.length === 0) throw notResident(capable);

  const accepting = ready.filter(({ node }) => node.acceptsWork);
  if (accepting.length === 0) throw noNode('nodes_unavailable');
  return accepting;
}

const someNodeInScope = (nodes: FleetView['nodes'], scope: ClusterScope): boolean => {
  for (const { clusterId } of nodes) if (inScope(scope, clusterId)) return true;
  return false;
};

function knownModel(model: string, lookup: ModelLookup): ModelEntry {
  switch (lookup.kind) {
    case 'found':
      return lookup.entry;
    case 'ambiguous':
      throw modelNotFound(
        `Several models are called ${quoted(model)}: use one of the selectors ${lookup.selectors.join(', ')}.`,
      );
    case 'unknown':
      throw modelNotFound(`There is no model ${quoted(model)}.`);
    default:
      return lookup satisfies never;
  }
}

function placementsInScope(entry: ModelEntry, { scope, model }: EligibilityQuestion): readonly Placement[] {
  const placements = entry.placements(scope);
  // Other clusters have it, this one does not.
  if (placements.length === 0 && entry.placements(null).length > 0) {
    throw modelNotFound(`There is no model ${quoted(model)} in this scope.`);
  }
  return placements;
}

/** Of a continuation, what its node has. Gone, foreign, out of scope or without the model are one answer: it must tell nothing else. */
function continuable(placements: readonly Placement[], { continuation }: EligibilityQuestion): readonly Placement[] {
  if (continuation === undefined) return placements;
  const { pinnedNode, param } = continuation;
  const there = placements.filter(({ node }) => node.nodeId === pinnedNode);
  if (there.length === 0) throw previousResponseNotFound(param);
  return there;
}

const isResident = ({ report }: Placement): boolean => report.state === 'loaded';

const notResident = (placements: readonly Placement[]): FerryError =>
  noNode(placements.some(({ report }) => report.state === 'loading') ? 'model_loading' : 'model_not_loaded');

function refuseRemoteMedia({ remoteMedia }: Requirements): void {
  if (remoteMedia === null) return;
  throw new FerryError(
    'unsupported_parameter',
    `\`${remoteMedia}\` must be a base64 data URI: media are not fetched.`,
    {
      param: remoteMedia,
    },
  );
}

/** The body is the literal of spec §7; the reason travels in a header. */
export const noNode = (reason: NoNodeReason): FerryError => new FerryError('no_node_for_user', undefined, { reason });

/** Always with the same words, whoever finds out: the relay by the id, or the node by its memory. */
export const previousResponseNotFound = (param: FieldPath): FerryError =>
  new FerryError('previous_response_not_found', undefined, { param });

const modelNotFound = (message: string): FerryError => new FerryError('model_not_found', message, { param: 'model' });

const QUOTED_CHARACTERS = 200;
const quoted = (model: string): string => `'${model.slice(0, QUOTED_CHARACTERS)}'`;
