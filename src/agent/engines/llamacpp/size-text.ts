const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `5.2 GB`: powers of a thousand, as disks are sold. */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1_000 ** power;
  return `${power === 0 ? String(bytes) : value.toFixed(1)} ${UNITS[power] ?? 'bytes'}`;
}
