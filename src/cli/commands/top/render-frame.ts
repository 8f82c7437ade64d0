import pc from 'picocolors';
import stringWidth from 'string-width';
import { printable } from '../../../kernel/printable.js';
import { cutEnd } from '../../core/output/fit-columns.js';
import { drawMark, layoutTable, MARGIN } from '../../core/output/table.js';
import { localSecond } from '../../core/output/time.js';
import { markOfTopNode, nodeColumns, requestColumns } from './top-columns.js';
import type { TopFrame } from './top-frame.shape.js';

export interface View {
  readonly columns: number;
  /** Available lines; undefined: unlimited. */
  readonly rows: number | undefined;
  readonly colors: boolean;
  /** Id of the request that Enter explains and `k` stops; undefined: nobody selects one. */
  readonly selected: string | undefined;
  /** Replaces the help line, for example when the relay does not respond. */
  readonly notice?: string | undefined;
}

const NO_NODES = 'no nodes yet; add a computer with: ferry nodes join-token';
const NO_REQUESTS = 'no request is running';

/** The lines of the screen, within its width and height. */
export function renderFrame(frame: TopFrame, view: View): readonly string[] {
  const { columns: width, colors } = view;
  const { bold, dim, red } = pc.createColors(colors);
  const errors = frame.errors.map(({ at, subject, message }) =>
    red(cutEnd(printable(`${localSecond(at).slice(0, 5)} ${subject}: ${message}`), width)),
  );
  const tail = errors.length === 0 ? [] : ['', dim('LAST ERRORS'), ...errors];
  const last = view.rows === undefined ? [] : [dim(cutEnd(printable(view.notice ?? keysLine(frame)), width))];
  // Beside title, headings and the empty line between the tables.
  const room = (view.rows ?? Infinity) - 4 - tail.length - last.length;
  const requestRoom = Math.max(1, Math.min(frame.requests.length, Math.ceil(room / 2)));
  const nodeRoom = Math.max(1, Math.min(Math.max(1, frame.nodes.length), room - requestRoom));
  const nodes = nodesTable(frame, width, nodeRoom, colors);
  const requests = requestsTable(frame, view, room - Math.max(1, Math.min(nodes.length - 1, nodeRoom)));
  const lines = [bold(title(frame, width)), ...nodes, '', ...requests, ...tail];
  return view.rows === undefined ? lines : [...lines.slice(0, Math.max(0, view.rows - last.length)), ...last];
}

function nodesTable({ nodes }: TopFrame, width: number, room: number, colors: boolean): readonly string[] {
  const { dim } = pc.createColors(colors);
  const { heading, lines } = layoutTable(nodeColumns, nodes, { lineWidth: width - MARGIN });
  const marked = nodes.map((node, index) => `${drawMark(markOfTopNode(node), colors)} ${lines[index] ?? ''}`);
  const shown = marked.length <= room ? marked : marked.slice(0, room - 1);
  const hidden = marked.length - shown.length;
  const more = hidden === 0 ? [] : [dim(cutEnd(`  ${String(hidden)} more: ferry nodes`, width))];
  return [
    dim(' '.repeat(MARGIN) + heading),
    ...(nodes.length === 0 ? [cutEnd(NO_NODES, width)] : []),
    ...shown,
    ...more,
  ];
}

/** As many as there is room for, the selected one among them. */
function requestsTable({ requests }: TopFrame, { columns: width, colors, selected }: View, room: number): string[] {
  const { dim, inverse } = pc.createColors(colors);
  const index = requests.findIndex(({ id }) => id === selected);
  // Without colours the selection is a character in front.
  const margin = colors || index === -1 ? 0 : MARGIN;
  const { heading, lines } = layoutTable(requestColumns, requests, { lineWidth: width - margin });
  const drawn = lines.map((line, row) => {
    if (margin > 0) return `${row === index ? '> ' : '  '}${line}`;
    if (row !== index) return line;
    return inverse(line + ' '.repeat(Math.max(0, width - stringWidth(line))));
  });
  const count = Math.max(1, room);
  const first = Math.max(0, Math.min(index - Math.floor(count / 2), drawn.length - count));
  const shown = room === Infinity ? drawn : drawn.slice(first, first + count);
  return [dim(' '.repeat(margin) + heading), ...(requests.length === 0 ? [dim(cutEnd(NO_REQUESTS, width))] : shown)];
}

const keysLine = ({ requests }: TopFrame): string =>
  requests.length === 0 ? 'q quit' : '↑↓ select · Enter explain · k stop · q quit';

function title({ nodes, requests, at }: TopFrame, width: number): string {
  const online = nodes.filter((node) => node.online).length;
  const running = requests.length === 0 ? '' : `${String(requests.length)} running · `;
  const right = `${running}${String(online)} of ${String(nodes.length)} online · ${localSecond(at)}`;
  const gap = width - stringWidth('ferry top') - stringWidth(right);
  return gap < 2 ? cutEnd(right, width) : `ferry top${' '.repeat(gap)}${right}`;
}
