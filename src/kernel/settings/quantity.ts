/**
 * Amounts with a unit, such as `30s`, `256MiB` and `5/min`, for the settings whose variable ends in a unit. A bare number is in that unit.
 */
interface Unit {
  readonly suffix: string;
  /** For messages: `must be a time from …`. */
  readonly kind: string;
  /** For messages: what a bare number counts. */
  readonly bare: string;
  /** How much of the bare unit each symbol is. The first of equal ones is printed. */
  readonly symbols: readonly (readonly [symbol: string, amount: number])[];
  /** Always printed with this symbol; absent: with the one that makes the shortest number. */
  readonly printed?: string;
}

const sizes = [
  ['TiB', 2 ** 40],
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
  ['B', 1],
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

const units: readonly Unit[] = [
  {
    suffix: '_MS',
    kind: 'a time',
    bare: 'milliseconds',
    symbols: [
      ['d', 86_400_000],
      ['h', 3_600_000],
      ['min', 60_000],
      ['m', 60_000],
      ['s', 1_000],
      ['ms', 1],
    ],
  },
  { suffix: '_BYTES', kind: 'a size', bare: 'bytes', symbols: sizes },
  {
    suffix: '_BYTES_PER_SECOND',
    kind: 'a speed',
    bare: 'bytes per second',
    symbols: sizes.map(([symbol, amount]) => [`${symbol}/s`, amount]),
  },
  {
    suffix: '_PER_MINUTE',
    kind: 'a rate',
    bare: 'per minute',
    symbols: [
      ['/min', 1],
      ['/m', 1],
      ['/s', 60],
      ['/h', 1 / 60],
    ],
    printed: '/min',
  },
  {
    suffix: '_HOURS',
    kind: 'a time',
    bare: 'hours',
    symbols: [
      ['h', 1],
      ['d', 24],
    ],
  },
  { suffix: '_DAYS', kind: 'a time', bare: 'days', symbols: [['d', 1]] },
  { suffix: '_PERCENT', kind: 'a share', bare: 'percent', symbols: [['%', 1]] },
];

/** @param env name of the variable; undefined: its amounts have no unit */
export const unitOf = (env: string): Unit | undefined => units.find(({ suffix }) => env.endsWith(suffix));

const QUANTITY = /^\s*(\d+(?:\.\d+)?)\s*([a-z/%]+)\s*$/i;

/** `30s` of a variable in milliseconds as `30000`; any other text as it is, for the parser of the setting to refuse. */
export function withoutUnit(env: string, text: string): string {
  const [, number = '', symbol = ''] = QUANTITY.exec(text) ?? [];
  const found = unitOf(env)?.symbols.find(([known]) => known.toLowerCase() === symbol.toLowerCase());
  // 1.1 s are 1100.0000000000002 ms otherwise.
  return found === undefined ? text : String(Number((Number(number) * found[1]).toFixed(6)));
}

/** An exact and short spelling, such as `15s` for 15000 of a variable in milliseconds; a bare number where it has no unit. */
export function withUnit(env: string, amount: number): string {
  const unit = unitOf(env);
  if (unit === undefined || amount === 0) return String(amount);
  if (unit.printed !== undefined) return `${String(amount)}${unit.printed}`;
  const exact = unit.symbols.filter(([, size]) => amount % size === 0);
  const [shortest] = exact.toSorted(([, a], [, b]) => amount / a - amount / b);
  return shortest === undefined ? String(amount) : `${String(amount / shortest[1])}${shortest[0]}`;
}
