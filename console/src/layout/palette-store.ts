/** Whether the palette is open: buttons in several places and a key open it. */
const listeners = new Set<() => void>();
let opened = false;

export const isPaletteOpen = (): boolean => opened;
export const openPalette = (): void => set(true);
export const closePalette = (): void => set(false);

export function onPalette(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(value: boolean): void {
  opened = value;
  for (const listener of listeners) listener();
}
