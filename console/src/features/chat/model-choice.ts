/** Which models the chat offers, and where an installed one can be loaded. */
import type { Schemas } from '../../api/management-api.types';
import { count } from '../../components/format';

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
  return [
    namesText(names),
    ...(contexts.length === 0 ? [] : [`${count(Math.max(...contexts))} tokens of context`]),
  ].join(' · ');
}

/** Where a model is that is not loaded: `on workshop, studio · not loaded`. */
export function installedText(nodes: readonly Node[], selector: string, cluster: string | undefined): string {
  const names = nodesWith(nodes, selector, cluster).map(({ name }) => name);
  return names.length === 0 ? 'on no computer that is online' : `on ${namesText(names)} · not loaded`;
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
