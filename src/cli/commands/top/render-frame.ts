import pc from 'picocolors';
import stringWidth from 'string-width';
import { printable } from '../../../kernel/printable.js';
import { formatMemory } from '../../core/output/quantities.js';
import { localSecond, shortId } from '../requests/request-times.js';
import { cut, layoutColumns, type LiveColumn } from '../../core/output/layout-columns.js';
import type { TopFrame } from './top-frame.shape.js';

export interface View {
  readonly columns: number;
  /** Available lines; undefined: unlimited. */
  readonly rows: number | undefined;
  readonly colors: boolean;
  /** Index of the request that Enter explains. */
  readonly selected: number | undefined;
  /** Replaces the help line, for example when the relay does not respond. */
  readonly notice?: string | undefined;
}

const SLOT_BAR = 4;

/** The lines of the screen, within its width and height. */
export function renderFrame(frame: TopFrame, view: View): readonly string[] {
  const { columns: width, colors, selected } = view;
  const { bold, dim, green, red, inverse, yellow } = pc.createColors(colors);
  const [nodeHeading = '', ...nodeLines] = layoutColumns(nodeColumns(frame), width);
  const [requestHeading = '', ...requestLines] = layoutColumns(requestColumns(frame), width);
  const nodes = nodeLines.map((line, index) => {
    const node = frame.nodes[index];
    const paint = node?.online !== true ? dim : node.problem === null ? green : yellow;
    return line.replace(/^[●○]/, paint);
  });
  const requests = requestLines.map((line, index) => (index === selected ? inverse(line.padEnd(width)) : line));
  const errors = frame.errors.map(({ at, subject, message }) =>
    red(cut(printable(`${localSecond(at).slice(0, 5)} ${subject}: ${message}`), width)),
  );
  const head = [bold(title(frame, width)), dim(nodeHeading)];
  const middle = [
    ...(nodes.length === 0 ? ['no nodes yet; add a computer with: ferry nodes join-token'] : nodes),
    '',
    dim(requestHeading),
    ...(requests.length === 0 ? [dim('no request is running')] : requests),
  ];
  const tail = [...(errors.length === 0 ? [] : ['', dim('LAST ERRORS'), ...errors])];
  const last = view.selected === undefined && view.notice === undefined ? [] : [view.notice ?? keysLine(frame)];
  const room = view.rows === undefined ? Infinity : Math.max(0, view.rows - head.length - tail.length - last.length);
  return [...head, ...middle.slice(0, room), ...tail, ...last.map((line) => dim(cut(line, width)))].slice(
    0,
    view.rows ?? Infinity,
  );
}

const keysLine = ({ requests }: TopFrame): string =>
  requests.length === 0 ? 'q quit' : '↑↓ select · Enter explain · q quit';

function title({ nodes, at }: TopFrame, width: number): string {
  const online = nodes.filter((node) => node.online).length;
  const right = `${String(online)} of ${String(nodes.length)} online · ${localSecond(at)}`;
  const gap = width - stringWidth('ferry top') - stringWidth(right);
  return gap < 2 ? cut(right, width) : `ferry top${' '.repeat(gap)}${right}`;
}

function nodeColumns({ nodes }: TopFrame): readonly LiveColumn[] {
  const of = (value: (node: TopFrame['nodes'][number]) => string): readonly string[] =>
    nodes.map((node) => printable(value(node)) || '–');
  return [
    { heading: 'NODE', cells: of(({ online, name }) => `${online ? '●' : '○'} ${name}`), min: 10 },
    { heading: 'LOADED', cells: of(({ loaded }) => loaded.join(' ')), min: 8 },
    { heading: 'SLOTS', cells: of(slotsOf), expendable: 1 },
    { heading: 'TOK/S', cells: of((node) => node.tokens_per_second.toFixed(1)), align: 'right', expendable: 2 },
    { heading: 'QUEUE', cells: of(({ queue }) => String(queue)), align: 'right', expendable: 4 },
    {
      heading: 'MEMORY',
      cells: of(({ memory_used_bytes: used, memory_total_bytes: whole }) =>
        used === null || whole === null ? '' : formatMemory(used, whole),
      ),
      align: 'right',
      expendable: 3,
    },
    {
      heading: 'RTT',
      cells: of(({ round_trip_ms: ms, online }) => (ms === null || !online ? '' : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`)),
      align: 'right',
      expendable: 5,
    },
  ];
}

function slotsOf({ slots_used: used, slots_total: total }: TopFrame['nodes'][number]): string {
  if (used === null || total === null || total === 0) return '';
  const filled = Math.round((SLOT_BAR * Math.min(used, total)) / total);
  return `${'█'.repeat(filled)}${'░'.repeat(SLOT_BAR - filled)} ${String(used)}/${String(total)}`;
}

function requestColumns({ requests }: TopFrame): readonly LiveColumn[] {
  const of = (value: (request: TopFrame['requests'][number]) => string): readonly string[] =>
    requests.map((request) => printable(value(request)) || '–');
  return [
    { heading: 'REQUEST', cells: of(({ id }) => shortId(id)) },
    { heading: 'KEY', cells: of(({ key }) => key), min: 6, expendable: 3 },
    { heading: 'MODEL', cells: of(({ model }) => model), min: 8 },
    { heading: 'NODE', cells: of(({ node }) => node ?? ''), min: 6, expendable: 4 },
    { heading: 'STATE', cells: of(({ state }) => state) },
    {
      heading: 'TOKENS',
      cells: of(({ output_events }) => (output_events === null || output_events === 0 ? '' : String(output_events))),
      align: 'right',
      expendable: 2,
    },
    {
      heading: 'TOK/S',
      cells: of(({ tokens_per_second }) => tokens_per_second?.toFixed(1) ?? ''),
      align: 'right',
      expendable: 1,
    },
    { heading: 'AGE', cells: of(({ age_ms }) => ageOf(age_ms)), align: 'right', expendable: 5 },
  ];
}

const ageOf = (ms: number): string =>
  ms < 60_000 ? `${String(Math.round(ms / 1_000))} s` : `${String(Math.floor(ms / 60_000))} min`;
