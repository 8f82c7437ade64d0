/** Whether the palette is open: buttons in several places and a key open it. */
const listeners = new Set<() => void>();
let opened = false;
let query = '';

export const isPaletteOpen = (): boolean => opened;
/** Here and not in the field, which is drawn some moments after the first characters are typed. */
export const paletteQuery = (): string => query;
export const openPalette = (): void => set(true);
export const closePalette = (): void => set(false);

export function onPalette(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setPaletteQuery(text: string): void {
  query = text;
  tell();
}

function set(value: boolean): void {
  // It begins empty.
  if (value && !opened) query = '';
  opened = value;
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}
