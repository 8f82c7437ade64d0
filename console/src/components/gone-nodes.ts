/** Computers that lost their connection, which the overview alone tells from those that somebody stopped. */
import type { Schemas } from '../api/management-api.types';
import type { Node } from './node-facts';

/** By the id of the computer, since when; null: not known. */
export type GoneNodes = ReadonlyMap<string, string | null>;

export const goneNodes = (attention: readonly Schemas['Attention'][]): GoneNodes =>
  new Map(
    attention.flatMap(({ code, node_id: id, since }) =>
      code === 'node_gone' && id !== null ? [[id, since] as const] : [],
    ),
  );

/** The overview may be a moment older than the computer. */
export const isGone = (gone: GoneNodes, { node_id: id, online }: Pick<Node, 'node_id' | 'online'>): boolean =>
  !online && gone.has(id);
