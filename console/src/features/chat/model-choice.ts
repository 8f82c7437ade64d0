/** Which models the chat offers, and where an installed one can be loaded. */
import type { Schemas } from '../../api/management-api.types';
import { isLive, needsAttention, type Operation } from '../../api/operation-state';
import { count } from '../../components/format';
import { contextText, modelState, type StateInWords } from '../../components/node-facts';
import { doing, failedWords } from '../../components/operation-words';

type Model = Schemas['Model'];
type Node = Schemas['Node'];

export interface ModelChoice {
  /** What requests call it. */
  readonly id: string;
  readonly selector: string;
  readonly loaded: boolean;
}

/** Loaded ones first. @param cluster undefined: all */
export function modelChoices(models: readonly Model[], cluster: string | undefined): readonly ModelChoice[] {
  return models
    .flatMap(({ id, selector, loaded, clusters }): ModelChoice[] => {
      if (cluster === undefined) return [{ id, selector, loaded }];
      const there = clusters.find(({ cluster_id }) => cluster_id === cluster);
      return there === undefined ? [] : [{ id, selector, loaded: there.loaded }];
    })
    .toSorted((one, other) => Number(other.loaded) - Number(one.loaded));
}

/** The chosen one, also when it is not loaded any more; else the first that is ready. */
export const currentChoice = (choices: readonly ModelChoice[], chosen: string | null): ModelChoice | undefined =>
  choices.find(({ id }) => id === chosen) ?? choices.find(({ loaded }) => loaded) ?? choices[0];

/** What answers beside it; undefined: one model answers, or that one is gone. */
export const secondChoice = (choices: readonly ModelChoice[], chosen: string | null): ModelChoice | undefined =>
  choices.find(({ id }) => id === chosen);

/** What a comparison begins with: another loaded model, or else the same one twice. */
export const otherChoice = (
  choices: readonly ModelChoice[],
  choice: ModelChoice | undefined,
): ModelChoice | undefined => choices.find(({ id, loaded }) => loaded && id !== choice?.id) ?? choice;

/** Where a model answers requests now: `studio, laptop · 40,960 tokens of context`; empty: nowhere. */
export function servingText(nodes: readonly Node[], selector: string, cluster: string | undefined): string {
  const places = nodesWith(nodes, selector, cluster).flatMap(({ name, models }) =>
    models
      .filter((model) => model.selector === selector && model.state === 'loaded' && model.reason === null)
      .map(({ context_length }) => ({ name, contextTokens: context_length })),
  );
  if (places.length === 0) return '';
  const names = [...new Set(places.map(({ name }) => name))];
  const contexts = places.flatMap(({ contextTokens }) => contextTokens ?? []);
  return [namesText(names), ...(contexts.length === 0 ? [] : [contextText(Math.max(...contexts))])].join(' · ');
}

/** A model that is not loaded, on one computer. */
export interface ChatPlace {
  readonly name: string;
  readonly state: StateInWords;
}

/** The places of a model on computers that are online. @param operations newest first, which is the order of the relay */
export const placesOf = (
  nodes: readonly Node[],
  operations: readonly Operation[],
  selector: string,
  cluster: string | undefined,
): readonly ChatPlace[] =>
  nodesWith(nodes, selector, cluster).flatMap(({ node_id, name, models }) =>
    models
      .filter((model) => model.selector === selector && model.reason === null)
      .map((model) => {
        const own = operations.filter((one) => one.node_id === node_id && one.model_key === model.key);
        return { name, state: stateOf(model, own) };
      }),
  );

/** As in the list of models, whose code would be much for a chat to fetch. */
function stateOf(model: Node['models'][number], operations: readonly Operation[]): StateInWords {
  const running = operations.find(isLive);
  if (running !== undefined) return { state: 'working', label: doing[running.kind] };
  const failure = operations.find((operation) => needsAttention(operation));
  return failure === undefined ? modelState(model) : { state: 'failed', label: failedWords(failure) };
}

const wordsOf = ({ state: { state, label } }: ChatPlace): string =>
  state === 'off' ? 'not loaded' : label.toLowerCase();

/** What stands in the way of a model that is not loaded, by computer: `workshop: not loaded · annex: load failed`. */
export function installedText(places: readonly ChatPlace[]): string {
  if (places.length === 0) return 'on no computer that is online';
  return [...new Set(places.map(wordsOf))]
    .map((words) => {
      const names = places.filter((place) => wordsOf(place) === words).map(({ name }) => name);
      return `${namesText([...new Set(names)])}: ${words}`;
    })
    .join(' · ');
}

/** Of a model that is not loaded, as rows of models have it: a failure is not hidden by computers on which nothing was tried. */
export function installedState(places: readonly ChatPlace[]): StateInWords {
  const states = places.map(({ state }) => state);
  return (
    states.find(({ state }) => state === 'working') ??
    states.find(({ state }) => state === 'failed') ?? { state: 'off', label: 'Not loaded' }
  );
}

function namesText(names: readonly string[]): string {
  const more = names.length - COMPUTERS_NAMED;
  return [...names.slice(0, COMPUTERS_NAMED), ...(more > 0 ? [`${count(more)} more`] : [])].join(', ');
}

const COMPUTERS_NAMED = 2;

/** Computers that are online and have the model installed. */
export const nodesWith = (nodes: readonly Node[], selector: string, cluster: string | undefined): readonly Node[] =>
  nodes.filter(
    (node) =>
      node.online &&
      (cluster === undefined || node.cluster_id === cluster) &&
      node.models.some((model) => model.selector === selector && model.reason === null),
  );
