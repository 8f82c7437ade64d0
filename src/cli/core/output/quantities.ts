/** Formats sizes, speeds and durations for people. */

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `qwen3:8b, +2`. */
export const firstAndMore = (names: readonly string[]): string =>
  names.length > 1 ? `${names[0] ?? ''}, +${String(names.length - 1)}` : (names[0] ?? '');

/** `12 345`. */
export const formatCount = (value: number): string => value.toLocaleString('en-US').replaceAll(',', ' ');

/** `5.2 GB`, in powers of ten, as usual for disks and downloads. */
export function formatBytes(bytes: number): string {
  const { scale, unit, digits } = scaleOf(bytes);
  return `${(bytes / scale).toFixed(digits)} ${unit}`;
}

/** `3.2/5.2 GB`: both in the unit of the total. */
export function formatPart(completed: number, total: number): string {
  const { scale, unit, digits } = scaleOf(total);
  return `${(completed / scale).toFixed(digits)}/${(total / scale).toFixed(digits)} ${unit}`;
}

/** `3.2/5.2 GB  48.0 MB/s  00:41`. */
export function transferDetail(completed: number, total: number | null, bytesPerSecond: number | null): string {
  const parts = [total === null ? formatBytes(completed) : formatPart(completed, total)];
  if (bytesPerSecond !== null && bytesPerSecond > 0) {
    parts.push(`${formatBytes(bytesPerSecond)}/s`);
    if (total !== null) parts.push(formatDuration(Math.max(0, total - completed) / bytesPerSecond));
  }
  return parts.join('  ');
}

/** In less, the tokens came in one piece: their distance is that of the network. The website has the same limit. */
const SHORTEST_DECODE_MS = 50;

/** Output tokens per second after the first one. null: too little to measure. */
export const tokenRate = (tokens: number, decodeMs: number): number | null =>
  tokens < 2 || decodeMs < SHORTEST_DECODE_MS ? null : ((tokens - 1) * 1_000) / decodeMs;

const GIBIBYTE = 2 ** 30;

/** `41 of 64 GB`, in powers of two, as usual for memory. */
export function formatMemory(usedBytes: number, totalBytes: number): string {
  const digits = totalBytes < 10 * GIBIBYTE ? 1 : 0;
  return `${(usedBytes / GIBIBYTE).toFixed(digits)} of ${(totalBytes / GIBIBYTE).toFixed(digits)} GB`;
}

/** `00:41`, and `1:02:03` from an hour on. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3_600);
  const rest = `${two(Math.floor((whole % 3_600) / 60))}:${two(whole % 60)}`;
  return hours === 0 ? rest : `${String(hours)}:${rest}`;
}

function scaleOf(bytes: number): { readonly scale: number; readonly unit: string; readonly digits: number } {
  let index = 0;
  while (index < units.length - 1 && bytes >= 1_000 ** (index + 1)) index += 1;
  return { scale: 1_000 ** index, unit: units[index] ?? 'B', digits: index < 2 ? 0 : 1 };
}
