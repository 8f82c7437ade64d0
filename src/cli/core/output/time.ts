import type { Terminal } from './terminal.js';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** `2025-11-20 10:15` in the local time zone, for columns of a table. */
export function localMinute(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `14:02:31`. */
export function localSecond(iso: string): string {
  const date = new Date(iso);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** `12 s ago`, `in 5 min`; the date from a day on. */
export function relativeTime(unixSeconds: number, nowMs: number): string {
  const elapsed = nowMs / 1_000 - unixSeconds;
  const distance = Math.floor(Math.abs(elapsed));
  if (distance >= DAY_S) return localMinute(unixSeconds);
  const amount =
    distance < MINUTE_S
      ? `${String(distance)} s`
      : distance < HOUR_S
        ? `${String(Math.floor(distance / MINUTE_S))} min`
        : `${String(Math.floor(distance / HOUR_S))} h`;
  return elapsed < 0 ? `in ${amount}` : `${amount} ago`;
}

/** Formats times in a column (null as empty): relative within a day on a terminal, absolute in a pipe. */
export function timeColumn({ columns }: Pick<Terminal, 'columns'>): (unixSeconds: number | null | undefined) => string {
  const nowMs = Date.now();
  return (unixSeconds) => {
    if (unixSeconds == null) return '';
    return columns === undefined ? localMinute(unixSeconds) : relativeTime(unixSeconds, nowMs);
  };
}

export const unixSecondsOf = (iso: string): number => Date.parse(iso) / 1_000;
