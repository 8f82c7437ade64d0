/** One way to name a model, cluster, node, key or engine in every command. */
import { similarName } from '../../../kernel/similar-name.js';
import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';

export interface Naming<Item> {
  /** Completes "there is no …": `cluster`. */
  readonly what: string;
  /** Code of the error when there is none. */
  readonly code: string;
  /** A command that lists them. */
  readonly list: string;
  readonly ids: (item: Item) => readonly string[];
  /** The first one is shown. */
  readonly names: (item: Item) => readonly string[];
}

interface PickOptions {
  /** A part is not enough: what is deleted is named as a whole. */
  readonly whole?: boolean;
}

const MOST_NAMED = 6;

/** Items with exactly this id or name; else with this name in any case; else with this part in their name. */
export function itemsNamed<Item>(
  items: readonly Item[],
  given: string,
  { ids, names }: Pick<Naming<Item>, 'ids' | 'names'>,
  { whole = false }: PickOptions = {},
): readonly Item[] {
  const wanted = given.toLowerCase();
  const rules: readonly ((item: Item) => boolean)[] = [
    (item) => ids(item).includes(given),
    (item) => names(item).includes(given),
    (item) => [...ids(item), ...names(item)].some((name) => name.toLowerCase() === wanted),
    (item) => !whole && wanted !== '' && names(item).some((name) => name.toLowerCase().includes(wanted)),
  ];
  for (const fits of rules) {
    const found = items.filter(fits);
    if (found.length > 0) return found;
  }
  return [];
}

/** @throws CliError (not found) with the name that was probably meant, or (usage) when several fit */
export function pickNamed<Item>(
  items: readonly Item[],
  given: string,
  naming: Naming<Item>,
  options: PickOptions = {},
): Item {
  const found = itemsNamed(items, given, naming, options);
  const [first, ...others] = found;
  const { what, code, list, ids, names } = naming;
  if (first === undefined) {
    throw new CliError(code, exitCodes.notFound, `there is no ${what} "${given}"`, {
      hint: didYouMean(given, items.flatMap(names)) ?? list,
    });
  }
  if (others.length === 0) return first;
  const shown = found.slice(0, MOST_NAMED);
  const own = shown.map((item) => names(item)[0] ?? '');
  const areAlike = new Set(own).size < own.length;
  const texts = areAlike ? shown.map((item) => ids(item)[0] ?? '') : own;
  const more = found.length > shown.length ? ` and ${String(found.length - shown.length)} more` : '';
  throw new CliError('usage', exitCodes.usage, `several ${what}s match "${given}": ${texts.join(', ')}${more}`, {
    hint: areAlike ? 'name one by its id' : 'give more of the name',
  });
}

/** The hint for a name that does not exist; undefined where none is close. */
export function didYouMean(given: string, names: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  const byFolded = new Map(names.map((name) => [name.toLowerCase(), name]));
  const containing = [...byFolded.keys()].find((name) => wanted !== '' && name.includes(wanted));
  const similar = containing ?? similarName(wanted, [...byFolded.keys()]);
  return similar === undefined ? undefined : `Did you mean ${byFolded.get(similar) ?? similar}?`;
}
