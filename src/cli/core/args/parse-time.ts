import { InvalidArgumentError } from 'commander';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** `90d`, `12h`, `30m` in milliseconds. @throws InvalidArgumentError */
function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNIT_MS[unit] ?? 0);
  if (milliseconds > 0) return milliseconds;
  throw new InvalidArgumentError('a time such as 30m, 12h, 7d or 2w');
}

/** A past time: `7d` (ago), a date, or ISO 8601. @throws InvalidArgumentError */
export const parseSince = (text: string): Date => parseMoment(text, -1);

/** A future time: `90d` (from now), a date, or ISO 8601. @throws InvalidArgumentError */
export function parseUntil(text: string): Date {
  const moment = parseMoment(text, 1);
  if (moment.getTime() <= Date.now()) throw new InvalidArgumentError('a time in the future');
  return moment;
}

function parseMoment(text: string, direction: 1 | -1): Date {
  if (/^\d{4}-\d\d-\d\d/.test(text)) {
    const moment = new Date(text);
    if (!Number.isNaN(moment.getTime())) return moment;
  }
  if (/^\d+[smhdw]$/.test(text)) return new Date(Date.now() + direction * parseDuration(text));
  throw new InvalidArgumentError('a time such as 12h or 7d, or a date such as 2026-01-31');
}
