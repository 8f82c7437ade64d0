/** The first version that was seen to heed `truncate` and `shift`. The context in `/api/ps` of some older ones counts all parallel requests. */
const FIRST = [0, 12, 6] as const;

/** Whether this version's own routes take a context length that lasts, and refuse a prompt beyond it. */
export function refusesLongPrompts(version: string | null): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
  if (parts === undefined) return false;
  for (const [position, least] of FIRST.entries()) {
    const part = parts[position] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
