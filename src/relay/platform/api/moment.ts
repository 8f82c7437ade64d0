import { FerryError } from '../../../kernel/errors/ferry-error.js';

/** Characters. */
export const LONGEST_MOMENT = 40;

const AGO = /^(\d{1,5})([mhdw])$/;
const AGO_UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_AND_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;
const ZONE = /(Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses a point in time: `7d`, `24h`, `30m` or `2w` ago, or a date or time in ISO 8601, in UTC where it names no zone.
 * @param param the parameter to name in an error
 * @throws FerryError `invalid_request`
 */
export function momentOf(text: string, param: string, nowMs: number): Date {
  const [, count, unit] = AGO.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) {
    return new Date(nowMs - Number(count) * AGO_UNIT_MS[unit as keyof typeof AGO_UNIT_MS]);
  }
  const moment = new Date(isoWithZone(text));
  if (Number.isNaN(moment.getTime())) {
    const rule = 'must be a time ago such as `7d` or `24h`, or a date or time in ISO 8601';
    throw new FerryError('invalid_request', `${param} ${rule}.`, { param });
  }
  return moment;
}

/** JavaScript reads a time without a zone as local time. */
function isoWithZone(text: string): string {
  if (DATE.test(text)) return text;
  if (!DATE_AND_TIME.test(text)) return '';
  return ZONE.test(text) ? text : `${text}Z`;
}
