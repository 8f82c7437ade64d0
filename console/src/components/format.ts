/**
 * Numbers, sizes and dates in the browser's locale; words, such as "5 min ago", in English like the sentences around them. `null` is shown as a
 * dash: it means "not known", never zero.
 */

export const NONE = '–';

type Amount = number | null | undefined;

const cache = new Map<string, Intl.NumberFormat>();

/** Making a formatter costs more than a hundred uses of it, and tables format thousands of cells. */
function numberFormat(locale: string | undefined, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale ?? ''} ${JSON.stringify(options)}`;
  let format = cache.get(key);
  if (format === undefined) cache.set(key, (format = new Intl.NumberFormat(locale, options)));
  return format;
}

const isUnknown = (value: Amount): value is null | undefined => value === null || value === undefined;

/** 12,345 */
export const count = (value: Amount, locale?: string): string =>
  isUnknown(value) ? NONE : numberFormat(locale, { maximumFractionDigits: 0 }).format(value);

/** 1 request, 12,345 requests. */
export const countOf = (value: number, one: string, locale?: string): string =>
  `${count(value, locale)} ${value === 1 ? one : `${one}s`}`;

/** 1.3, with so many digits after the point at most, and at least. */
export const decimal = (value: number, most: number, least = 0, locale?: string): string =>
  numberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: most }).format(value);

/** 12.3K, for places with little room. */
export const shortCount = (value: Amount, locale?: string): string =>
  isUnknown(value)
    ? NONE
    : numberFormat(locale, { notation: 'compact', maximumFractionDigits: value < 1_000 ? 0 : 1 }).format(value);

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** 5.2 GB: decimal units, as engines and shops name sizes. */
export function bytes(value: Amount, locale?: string): string {
  if (isUnknown(value)) return NONE;
  const power = value < 1_000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), byteUnits.length - 1);
  const amount = value / 1_000 ** power;
  const unit = byteUnits[power] ?? 'byte';
  // "5 byte" is not what anybody writes.
  if (unit === 'byte') return `${count(value, locale)} B`;
  const digits = amount < 10 ? 1 : 0;
  return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits }).format(
    amount,
  );
}

/** 88 MB/s */
export const bytesPerSecond = (value: Amount, locale?: string): string =>
  isUnknown(value) ? NONE : `${bytes(value, locale)}/s`;

/** 41.5 tok/s */
export const tokensPerSecond = (value: Amount, locale?: string): string =>
  isUnknown(value) || !Number.isFinite(value)
    ? NONE
    : `${value > 0 && value < 0.05 ? '< 0.1' : numberFormat(locale, { maximumFractionDigits: value < 100 ? 1 : 0 }).format(value)} tok/s`;

/** 40 %, of a share between 0 and 1. */
export const percent = (share: Amount, locale?: string): string =>
  isUnknown(share) || !Number.isFinite(share)
    ? NONE
    : numberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share);

/** 4 ms, 190 ms, 10.4 s, 3 min 5 s, 2 h 10 min */
export function duration(milliseconds: Amount, locale?: string): string {
  if (isUnknown(milliseconds)) return NONE;
  if (milliseconds < 999.5) return `${count(milliseconds, locale)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) {
    return `${numberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(seconds)} s`;
  }
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return joined(minutes, 'min', Math.round(seconds) % 60, 's', locale);
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return joined(hours, 'h', minutes % 60, 'min', locale);
  return joined(Math.floor(hours / 24), 'd', hours % 24, 'h', locale);
}

const joined = (large: number, largeUnit: string, small: number, smallUnit: string, locale?: string): string =>
  `${count(large, locale)} ${largeUnit}${small === 0 ? '' : ` ${small} ${smallUnit}`}`;

/** 0:36 or 1:02:09, of what is left of a download. */
export function clock(seconds: Amount): string {
  if (isUnknown(seconds) || !Number.isFinite(seconds)) return NONE;
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours, minutes, rest] = parts.map((part) => String(part).padStart(2, '0'));
  return parts[0] === 0 ? `${parts[1]}:${rest}` : `${Number(hours)}:${minutes}:${rest}`;
}

/** Times of the API: seconds since 1970 or ISO 8601. */
export type Instant = number | string | Date;

export const dateOf = (instant: Instant): Date =>
  instant instanceof Date ? instant : new Date(typeof instant === 'number' ? instant * 1_000 : instant);

const dateCache = new Map<string, Intl.DateTimeFormat>();

/** Kept for the same reason as those of numbers. */
function dateFormat(locale: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale ?? ''} ${JSON.stringify(options)}`;
  let format = dateCache.get(key);
  if (format === undefined) dateCache.set(key, (format = new Intl.DateTimeFormat(locale, options)));
  return format;
}

/** 22 Nov 2026, 14:02:31 */
export const exactTime = (instant: Instant, locale?: string, timeZone?: string): string =>
  dateFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', ...(timeZone && { timeZone }) }).format(
    dateOf(instant),
  );

/** 14:02:31 on the day of `now`; 22 Nov, 14:02 before. For logs, whose rows are told apart by seconds. */
export const logTime = (instant: Instant, now: number, locale?: string, timeZone?: string): string =>
  timeOfDay('medium', instant, now, locale, timeZone);

/** 14:02 on the day of `now`; 22 Nov, 14:02 before: "offline since 14:02". */
export const sinceTime = (instant: Instant, now: number, locale?: string, timeZone?: string): string =>
  timeOfDay('short', instant, now, locale, timeZone);

function timeOfDay(
  timeStyle: 'short' | 'medium',
  instant: Instant,
  now: number,
  locale: string | undefined,
  timeZone: string | undefined,
): string {
  const zone = timeZone && { timeZone };
  const day = dateFormat(locale, { dateStyle: 'short', ...zone });
  const date = dateOf(instant);
  return day.format(date) === day.format(now)
    ? dateFormat(locale, { timeStyle, ...zone }).format(date)
    : dateFormat(locale, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', ...zone }).format(date);
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Of the last minute. */
export const JUST_NOW = 'just now';

/** English in every locale, with the units of `duration`; not by Intl, whose "5 min." makes two dots at the end of a sentence. */
const inWords = (difference: number, unitMs: number, unit: string): string => {
  const amount = `${Math.trunc(Math.abs(difference) / unitMs)} ${unit}`;
  return difference < 0 ? `${amount} ago` : `in ${amount}`;
};

/** "just now", "5 min ago", "in 2 h" within a day; the date beyond. @param locale of the date */
export function relativeTime(instant: Instant, now: number, locale?: string, timeZone?: string): string {
  const date = dateOf(instant);
  const difference = date.getTime() - now;
  const distance = Math.abs(difference);
  // "Now" would say of an offline computer that it is there.
  if (difference <= 0 && distance < MINUTE_MS) return JUST_NOW;
  if (distance < MINUTE_MS) return inWords(difference, 1_000, 's');
  if (distance < 60 * MINUTE_MS) return inWords(difference, MINUTE_MS, 'min');
  if (distance < DAY_MS) return inWords(difference, 60 * MINUTE_MS, 'h');
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  const year = sameYear ? {} : { year: 'numeric' as const };
  return dateFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...year,
    ...(timeZone && { timeZone }),
  }).format(date);
}

/** `model_not_found` as words. */
export const codeWords = (code: string): string => code.replaceAll('_', ' ');

/** A long name cut in the middle: both ends tell models and files apart. */
export const cutMiddle = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.ceil((most - 1) / 2))}…${text.slice(-Math.floor((most - 1) / 2))}`;
