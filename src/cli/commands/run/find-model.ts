/** Finds possible sources of a model for the name that the user entered. */
import type { Schemas } from '../../core/api/management-api.types.js';

type Node = Schemas['Node'];

/** A model that at least one computer accepting requests has. */
export interface KnownModel {
  readonly id: string;
  readonly selector: string;
  readonly sizeBytes: number | null;
  readonly places: readonly Place[];
}

export interface Place {
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
    .map(({ id, selector }): KnownModel => {
      const found = working.flatMap((node) =>
        node.models.filter((model) => model.selector === selector).map((model) => ({ node, model })),
      );
      return {
        id,
        selector,
        sizeBytes: found.reduce<number | null>((size, { model }) => size ?? model.size_bytes, null),
        places: found.map(({ node, model: { key, engine, state } }) => ({
          node,
          key,
          engine,
          loaded: state === 'loaded',
        })),
      };
    })
    .filter(({ places }) => places.length > 0)
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

/** A repository on Hugging Face: `hf:owner/repo`, `hf:owner/repo:Q4_K_M`, `hf:owner/repo/file.gguf`. */
export interface HubName {
  readonly owner: string;
  readonly repository: string;
  readonly quantization: string | undefined;
  readonly file: string | undefined;
}

export function parseHubName(name: string): HubName | undefined {
  const found = /^hf:([\w.-]+)\/([\w.-]+)(?::([\w.-]+))?(?:\/(.+\.gguf))?$/i.exec(name);
  if (found === null) return undefined;
  const [, owner = '', repository = '', quantization, file] = found;
  return { owner, repository, quantization, file };
}

/** The engine's name of a file on Hugging Face; undefined when the engine cannot install it. */
export function hubSource(
  kind: string,
  id: string,
  { source, quantization }: Pick<Schemas['CatalogFile'], 'source' | 'quantization'>,
): string | undefined {
  switch (kind) {
    case 'llamacpp':
      return source ?? undefined;
    case 'ollama':
      return quantization === null ? undefined : `hf.co/${id}:${quantization}`;
    default:
      return undefined;
  }
}

/** A model needs more memory than its file, for context and buffers. */
const MEMORY_SHARE = 1.2;

/** Nodes where it fits come first, then by free memory, descending; unknown memory comes last. */
export function byFreeMemory<Item extends { readonly node: Node }>(
  items: readonly Item[],
  sizeBytes: number | null,
): readonly Item[] {
  return [...items].sort(
    (a, b) =>
      Number(fits(b.node, sizeBytes) ?? false) - Number(fits(a.node, sizeBytes) ?? false) ||
      freeBytes(b.node) - freeBytes(a.node),
  );
}

/** null: the node or the size is unknown. */
export function fits(node: Node, sizeBytes: number | null): boolean | null {
  const free = freeBytes(node);
  return free < 0 || sizeBytes === null ? null : free >= sizeBytes * MEMORY_SHARE;
}

/** Free memory for models; -1: unknown. */
function freeBytes(node: Node): number {
  // An older relay reports neither.
  const { memory, gpus } = node as Partial<Node>;
  const known = (gpus ?? []).flatMap(({ unified, free_bytes }) => (unified || free_bytes === null ? [] : [free_bytes]));
  const own = known.length === 0 ? -1 : known.reduce((sum, free) => sum + free, 0);
  return Math.max(own, memory?.free_bytes ?? -1);
}
