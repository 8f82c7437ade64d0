/** A line of a log as people read it. The fields are hostile data: some come from other computers. */
import pc from 'picocolors';
import { printable, stripUnprintable } from '../printable.js';
import type { LogLevel, LogRecord } from './log-record.js';

export interface LogTextForm {
  readonly colors: boolean;
  /** The program that wrote the line is a column. It is absent where there is only one program. */
  readonly part?: string | undefined;
  /** The present, for a person at a terminal: lines of this day are shown without the date, and ids are shortened. */
  readonly nowMs?: number | undefined;
}

/** The same in every line, or of use to programs alone: `ferry logs --json` has them. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['pid', 'hostname', 'name', 'context', 'account', 'key', 'cluster', 'epoch', 'bytes', 'ttfb_ms', 'stack', 'verb'],
]);
/** Commands take the beginning of an id, too. */
const LONG_ID = /^[a-z]{2,4}_[0-9a-f]{32}$/;
const SHORT_ID = 12;
const LEVEL_WIDTH = 5;
const PART_WIDTH = 5;
/** Bounds one field, and one line of a stack. The log has all of it. */
const MOST_CHARACTERS = 2_000;
const MOST_STACK_LINES = 30;

/** `11:53:31 warn  node  no connection to the relay  detail="connect ECONNREFUSED"`; stacks follow on lines of their own. */
export function logText(record: LogRecord, { colors, part, nowMs }: LogTextForm): string {
  const { level, timeMs } = record;
  const columns = [
    timeMs === null ? undefined : localTime(timeMs, nowMs),
    level === null ? ' '.repeat(LEVEL_WIDTH) : paint(level, colors),
    part?.padEnd(PART_WIDTH),
    messageText(record, nowMs !== undefined),
  ];
  const [first = '', ...stack] = columns
    .filter((column) => column !== undefined)
    .join(' ')
    .split('\n');
  return [first.trimEnd(), ...stack].join('\n');
}

function messageText({ level, message, fields }: LogRecord, short: boolean): string {
  // Not of pino: such as the trace of a crash, whose lines are indented.
  if (level === null) return stripUnprintable(shortened(message.replaceAll('\t', '    ')));
  if (message === 'request' && typeof fields['method'] === 'string') return requestText(fields, short);
  const { error, ...others } = fields;
  // The first line of a stack is the message of the error.
  const [reason, ...trace] = typeof error === 'string' ? error.split('\n') : [];
  const reported = [oneLine(message), ...(reason === undefined ? [] : [oneLine(reason)])].filter((text) => text !== '');
  return [
    [reported.join(': '), ...pairsOf(others, short)].join('  '),
    ...stackLines(trace),
    ...stackLines(stackOf(fields)),
  ].join('\n');
}

/** Shortens the relay's line about one request. */
function requestText(fields: LogRecord['fields'], short: boolean): string {
  const { method, route, status, outcome, duration_ms: durationMs, req_id: id, ...others } = fields;
  const responded = [method, route ?? '(no route)', status ?? 'no answer', outcome]
    .filter((word) => typeof word === 'string' || typeof word === 'number')
    .map((word) => oneLine(String(word)));
  const took = typeof durationMs === 'number' ? `in ${seconds(durationMs)}` : '';
  // Requests for a model can be explained by their id.
  const wanted = outcome === undefined && !(Number(status) >= 400) ? {} : { req_id: id };
  return [[...responded, took].join(' ').trimEnd(), ...pairsOf({ ...others, ...wanted }, short)].join('  ');
}

/** Without its first line, which is the message. */
const stackOf = ({ stack }: LogRecord['fields']): readonly string[] =>
  typeof stack === 'string' ? stack.split('\n').slice(1) : [];

const stackLines = (lines: readonly string[]): readonly string[] =>
  lines.slice(0, MOST_STACK_LINES).map((line) => `    ${oneLine(line)}`);

/** `name=value`, with JSON where a value has blanks or is no single one. */
function pairsOf(fields: Readonly<Record<string, unknown>>, short: boolean): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (LEFT_OUT.has(name) || value === null || value === undefined || value === '') return [];
    if (name.endsWith('_ms') && typeof value === 'number') return [`${oneLine(name.slice(0, -3))}=${seconds(value)}`];
    return [`${oneLine(name)}=${valueText(value, short)}`];
  });
}

function valueText(value: unknown, short: boolean): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return valueText(value.join(','), short);
  if (short && typeof value === 'string' && LONG_ID.test(value)) return `${value.slice(0, SHORT_ID)}…`;
  const text = oneLine(typeof value === 'string' ? value : JSON.stringify(value));
  return typeof value === 'string' && /[\s"]/.test(text) ? JSON.stringify(text) : text;
}

const oneLine = (text: string): string => printable(shortened(text).replaceAll(/\s+/g, ' '));

const shortened = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;

const seconds = (ms: number): string => (ms < 1_000 ? `${String(Math.round(ms))}ms` : `${(ms / 1_000).toFixed(1)}s`);

function paint(level: LogLevel, colors: boolean): string {
  const { yellow, red, dim } = pc.createColors(colors);
  const word = level.padEnd(LEVEL_WIDTH);
  switch (level) {
    case 'trace':
    case 'debug':
      return dim(word);
    case 'info':
      return word;
    case 'warn':
      return yellow(word);
    case 'error':
    case 'fatal':
      return red(word);
    default:
      return level satisfies never;
  }
}

/** The reader's time zone is used, because the reader compares it with a clock. */
function localTime(timeMs: number, nowMs: number | undefined): string {
  const date = new Date(timeMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  if (nowMs !== undefined && date.toDateString() === new Date(nowMs).toDateString()) return time;
  return `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}
