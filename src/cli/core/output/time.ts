/** `2025-11-20 10:15` in the reader's time zone; for columns, where seconds are noise. */
export function localMinute(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
