import { isLive, needsAttention, type Operation } from '../../api/operation-state';
import { fitOf, modelState, type FitInWords, type Node, type NodeModel, type StateInWords } from '../node-facts';
import { failedWords } from '../operation-words';

/** A model in one engine of one computer. */
export interface Placement {
  readonly node: Node;
  readonly model: NodeModel;
  /** What goes on with it. */
  readonly operation: Operation | undefined;
  /** The last operation on it has failed, and was neither dismissed nor tried again. */
  readonly failure: Operation | undefined;
}

/** @param operations newest first, which is the order of the relay */
export function placer(operations: readonly Operation[]): (node: Node, model: NodeModel) => Placement {
  const running = byPlace(operations.filter(isLive));
  const failures = byPlace(operations.filter((operation) => needsAttention(operation)));
  return (node, model) => {
    const key = `${node.node_id} ${model.key}`;
    return { node, model, operation: running.get(key), failure: failures.get(key) };
  };
}

/** The newest one counts. */
const byPlace = (operations: readonly Operation[]): ReadonlyMap<string, Operation> =>
  new Map(
    operations
      .toReversed()
      .map((operation) => [`${operation.node_id} ${operation.model_key ?? ''}`, operation] as const),
  );

/** A model that is loaded serves, whatever else has failed with it. */
export function placeState({ model, failure }: Placement): StateInWords {
  const state = modelState(model);
  return failure === undefined || state.state === 'serving' ? state : { state: 'failed', label: failedWords(failure) };
}

/** Loaded on one computer is what counts for requests; trouble shows only where nothing better is. */
const order = ['serving', 'working', 'failed', 'attention', 'off'] as const;

/** Loaded ones first. */
export const rankOfState = ({ state }: Pick<StateInWords, 'state'>): number => order.indexOf(state);

export const rankOfPlace = (place: Placement): number => rankOfState(placeState(place));

/** It serves, and answers in text. */
export const isReadyToChat = ({ model, operation }: Placement): boolean =>
  model.state === 'loaded' && model.reason === null && !model.embedding && operation === undefined;

export const placeKey = ({ node, model }: Placement): string => `${node.node_id} ${model.key}`;

/** In a list of computers. */
export const choiceOf = (place: Placement): { readonly value: string; readonly label: string } => ({
  value: placeKey(place),
  label: place.node.name,
});

export const fitOfPlace = ({ node, model }: Placement): FitInWords => fitOf(model.size_bytes, node);

export interface ModelActions {
  /** On one of several computers. */
  readonly onLoad: (places: readonly Placement[]) => void;
  readonly onUnload: (places: readonly Placement[]) => void;
  /** From one of several computers. */
  readonly onRemove: (places: readonly Placement[]) => void;
}

export interface ModelActionsInTable extends ModelActions {
  /** Keys of the places that requests run on. */
  readonly busy: ReadonlySet<string>;
}
