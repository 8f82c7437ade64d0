import { inJsonForm } from '../../core/output/json-form.js';
import stringWidth from 'string-width';
import { printable } from '../../../kernel/printable.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { QueryOf, Schemas } from '../../core/api/management-api.types.js';
import { readAtChanges } from '../../core/api/watch-changes.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { untilStopped } from '../../core/supervision/stop-signals.js';
import type { Invocation } from '../../invocation.js';
import { cutMiddle } from '../../core/output/fit-columns.js';
import { columnsOf } from './request-columns.js';
import { localSecond } from '../../core/output/time.js';

type Logged = Schemas['LoggedRequest'];

const PAGE = 200;
/** A request is logged when it has ended, with the time of its start. */
const LOOK_BACK_MS = 900_000;
/** Widths of the columns; rows arrive one by one, so the widths cannot depend on all contents. */
const WIDTHS: Readonly<Record<string, number>> = {
  WHEN: 8,
  KEY: 8,
  MODEL: 12,
  NODE: 8,
  OUTCOME: 9,
  TOKENS: 6,
  'TOK/S': 6,
  FIRST: 7,
  TOTAL: 7,
};
/** In a terminal that is wide enough for all of them. */
const WHOLE_COLUMNS = 108;
const LEFT_OUT: readonly string[] = ['TOK/S', 'FIRST', 'TOTAL'];

/** Prints each request when it has ended, without earlier ones, until Ctrl-C. */
export async function followRequests(
  invocation: Invocation,
  api: ManagementApi,
  filter: QueryOf<'/api/usage/requests'>,
  whole: boolean,
): Promise<void> {
  const { terminal, global } = invocation;
  const narrow = terminal.columns !== undefined && terminal.columns < WHOLE_COLUMNS;
  const columns = columnsOf(whole, ({ started_at }) => localSecond(started_at)).filter(
    ({ heading }) => !narrow || !LEFT_OUT.includes(heading),
  );
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, index) => {
      const width = WIDTHS[columns[index]?.heading ?? ''] ?? 0;
      const text = terminal.columns !== undefined && width > 0 ? cutMiddle(cell, width) : cell;
      const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
      return columns[index]?.align === 'right' ? `${space}${text}` : `${text}${space}`;
    });
    return padded.join('  ').trimEnd();
  };
  const show = (row: Logged): void => {
    if (global.output === 'table') terminal.print(line(columns.map(({ value }) => printable(value(row)) || '-')));
    else terminal.print(JSON.stringify(inJsonForm(row)));
  };
  await untilStopped(async (stop) => {
    if (global.output === 'table') terminal.note(line(columns.map(({ heading }) => heading)));
    for await (const row of newRequests(api, filter, { signal: stop, note: terminal.note })) show(row);
  });
  throw new CommandEnded(exitCodes.interrupted);
}

/** Oldest first, each once, as the relay's feed announces them. Waits for a relay that is temporarily unreachable. */
async function* newRequests(
  api: ManagementApi,
  filter: QueryOf<'/api/usage/requests'>,
  watch: { readonly signal: AbortSignal; readonly note: (line: string) => void },
): AsyncGenerator<Logged> {
  let seen: ReadonlySet<string> | undefined;
  const read = (nowMs: number): Promise<readonly Logged[]> => {
    const since = new Date(nowMs - LOOK_BACK_MS).toISOString();
    return api.list('/api/usage/requests', { query: { ...filter, since, limit: PAGE }, limit: PAGE });
  };
  for await (const rows of readAtChanges(api, { topics: ['requests'], ...watch }, read)) {
    const known = seen;
    if (known !== undefined) yield* [...rows].reverse().filter(({ id }) => !known.has(id));
    seen = new Set(rows.map(({ id }) => id));
  }
}
