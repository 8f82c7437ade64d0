/** From what a person calls a model or an engine to the name that the relay knows. */
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { didYouMean, itemsNamed, pickNamed, type Naming } from '../../core/args/pick-named.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';

type Model = Schemas['Model'];
type Node = Schemas['Node'];

const naming: Naming<Model> = {
  what: 'model',
  code: 'model_not_found',
  list: 'ferry models, or ferry models search NAME',
  ids: ({ selector }) => [selector],
  names: ({ id, display_name }) => (id === display_name ? [id] : [id, display_name]),
};

/** @throws CliError (not found), or (usage) when several models fit */
export const pickModel = (models: readonly Model[], given: string, options: { readonly whole?: boolean } = {}): Model =>
  pickNamed(models, given, naming, options);

export const findModel = async (api: ManagementApi, given: string): Promise<Model> =>
  pickModel(await api.list('/api/models'), given);

/**
 * The id that is meant, of those that a key may see; undefined where none fits, which the relay can explain.
 * @throws CliError (usage) when several fit
 */
export function pickModelId(ids: readonly string[], given: string): string | undefined {
  const byId: Naming<string> = { ...naming, ids: () => [], names: (id) => [id] };
  return itemsNamed(ids, given, byId).length === 0 ? undefined : pickNamed(ids, given, byId);
}

type Engine = Node['engines'][number];

/** The kind that is shown under another name. */
const BUILT_IN = { kind: 'llamacpp', shown: 'built-in' } as const;

const kindNames = ({ kind }: Engine): readonly string[] => (kind === BUILT_IN.kind ? [kind, BUILT_IN.shown] : [kind]);

/**
 * The engine's own name on the nodes: given as that, as its kind (`ollama`), or as a part of its name.
 * @throws CliError when no node has such an engine, or several fit
 */
export function pickEngine(nodes: readonly Node[], given: string): string {
  const byName = new Map<string, Engine>(
    nodes.flatMap(({ engines }) => engines).map((engine) => [engine.name, engine]),
  );
  const engines = [...byName.values()];
  const found = itemsNamed(engines, given, {
    ids: ({ name }) => [name],
    names: kindNames,
  });
  const matches = found.length > 0 ? found : itemsNamed(engines, given, { ids: () => [], names: ({ name }) => [name] });
  const [first, ...others] = matches;
  if (first !== undefined && others.length === 0) return first.name;
  const texts = (first === undefined ? engines : matches).map(({ name }) => name).join(', ');
  if (first !== undefined) {
    throw new CliError('usage', exitCodes.usage, `several engines match "${given}": ${texts}`, {
      hint: 'name one of them, or a computer with --node',
    });
  }
  const have = texts === '' ? 'no computer has an engine now' : `there is ${texts}`;
  throw new CliError('engine_not_found', exitCodes.notFound, `no computer has an engine "${given}"; ${have}`, {
    hint:
      didYouMean(given, [...engines.flatMap(kindNames), ...byName.keys()]) ??
      'ferry node doctor, on the computer where it runs',
  });
}
