/** Lists the loaded models with the facts that a client program needs in its configuration: it cannot ask for them. */
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { QUICKSTART_MODEL } from '../up/wait-for-model.js';

/** Agents request this many by default, and most models never reach it. */
const LONGEST_OUTPUT_TOKENS = 32_000;
/** The rest of the window is for the prompt, which is much longer in the work of agents. */
const OUTPUT_PART = 1 / 4;

/** Null where the engine does not say. */
export interface ModelLimits {
  readonly contextTokens: number | null;
  /** Longest answer that a program should ask for. */
  readonly outputTokens: number | null;
}

export interface LoadedModel extends ModelLimits {
  readonly id: string;
  readonly selector: string;
  readonly images: boolean;
  /** Null if unknown. */
  readonly tools: boolean | null;
  /** The built-in model that proves a connection; its responses are of no use. */
  readonly isTrial: boolean;
}

export const limitsOf = (contextTokens: number | null): ModelLimits => ({
  contextTokens,
  outputTokens: contextTokens === null ? null : Math.min(LONGEST_OUTPUT_TOKENS, Math.ceil(contextTokens * OUTPUT_PART)),
});

/** Models that generate text, in the relay's order; those for trying out come last. */
export function loadedModels(
  models: readonly Schemas['Model'][],
  nodes: readonly Schemas['Node'][],
): readonly LoadedModel[] {
  const online = nodes.filter((node) => node.online);
  return models
    .filter(({ loaded }) => loaded)
    .flatMap(({ id, selector, display_name }): LoadedModel[] => {
      const copies = online.flatMap((node) =>
        node.models.filter((model) => model.selector === selector && model.state === 'loaded'),
      );
      if (copies.some(({ embedding }) => embedding)) return [];
      return [
        {
          id,
          selector,
          ...limitsOf(longestContext(copies)),
          images: copies.some(({ inputs }) => inputs.includes('image')),
          tools: copies.some(({ tools }) => tools === true) ? true : (copies[0]?.tools ?? null),
          isTrial: display_name === QUICKSTART_MODEL,
        },
      ];
    })
    .sort((left, right) => Number(left.isTrial) - Number(right.isTrial));
}

export async function readLoadedModels(api: ManagementApi): Promise<readonly LoadedModel[]> {
  const [models, nodes] = await Promise.all([api.list('/api/models'), api.list('/api/nodes')]);
  return loadedModels(models, nodes);
}

/** A request goes to a node with room for it, so the longest counts. */
const longestContext = (copies: readonly Schemas['NodeModel'][]): number | null =>
  copies.reduce<number | null>(
    (longest, { context_length: tokens }) => (tokens === null ? longest : Math.max(longest ?? 0, tokens)),
    null,
  );
