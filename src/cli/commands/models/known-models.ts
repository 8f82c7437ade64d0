/** The models that the nodes have, by the name that a person gave. */
import type { Schemas } from '../../core/api/management-api.types.js';

type Node = Schemas['Node'];

/** A model that at least one computer accepting requests has. */
export interface KnownModel {
  readonly id: string;
  readonly selector: string;
  readonly sizeBytes: number | null;
  readonly places: readonly [ModelLocation, ...ModelLocation[]];
}

export interface ModelLocation {
  readonly node: Node;
  /** The node's own name of the model. */
  readonly key: string;
  readonly engine: string;
  readonly loaded: boolean;
}

/** All of them; loaded ones first, then by id. */
export function knownModels(models: readonly Schemas['Model'][], nodes: readonly Node[]): readonly KnownModel[] {
  const working = nodes.filter(({ online, accepts_work }) => online && accepts_work);
  return models
    .flatMap(({ id, selector }): KnownModel[] => {
      const found = working.flatMap((node) =>
        node.models.filter((model) => model.selector === selector).map((model) => ({ node, model })),
      );
      const [first, ...others] = found.map(({ node, model: { key, engine, state } }): ModelLocation => ({
        node,
        key,
        engine,
        loaded: state === 'loaded',
      }));
      if (first === undefined) return [];
      const sizeBytes = found.reduce<number | null>((size, { model }) => size ?? model.size_bytes, null);
      return [{ id, selector, sizeBytes, places: [first, ...others] }];
    })
    .sort((a, b) => Number(isLoaded(b)) - Number(isLoaded(a)) || a.id.localeCompare(b.id));
}

export const isLoaded = ({ places }: KnownModel): boolean => places.some(({ loaded }) => loaded);

/** The model with exactly this name, selector or key; otherwise those whose name contains it. */
export function matching(models: readonly KnownModel[], name: string): readonly KnownModel[] {
  const wanted = name.toLowerCase();
  const exact = models.filter(
    ({ id, selector, places }) =>
      [id, selector].some((own) => own.toLowerCase() === wanted) ||
      places.some(({ key }) => key === name || key.toLowerCase().endsWith(`/${wanted}`)),
  );
  return exact.length > 0 ? exact : models.filter(({ id }) => id.toLowerCase().includes(wanted));
}
