/** The list of what was visited last, as pure functions. */

const kinds = ['computer', 'model', 'request'] as const;

export interface RecentObject {
  readonly kind: (typeof kinds)[number];
  /** Of a model its selector, which outlives its names. */
  readonly id: string;
  readonly name: string;
}

const MOST_OBJECTS = 8;

/** Newest first, each once. */
export const withVisit = (objects: readonly RecentObject[], visited: RecentObject): readonly RecentObject[] =>
  [visited, ...objects.filter(({ kind, id }) => kind !== visited.kind || id !== visited.id)].slice(0, MOST_OBJECTS);

/** @param text as it was stored, perhaps by another version */
export function parseRecent(text: string | null): readonly RecentObject[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, MOST_OBJECTS) : [];
  } catch {
    return [];
  }
}

function isRecent(stored: unknown): stored is RecentObject {
  if (typeof stored !== 'object' || stored === null) return false;
  const { kind, id, name } = stored as Partial<Record<keyof RecentObject, unknown>>;
  return kinds.some((known) => known === kind) && typeof id === 'string' && typeof name === 'string';
}
