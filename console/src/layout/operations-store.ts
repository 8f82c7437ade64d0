/** Whether the panel of operations is open: the navigation, a row and the palette open it. */
const listeners = new Set<() => void>();
let opened = false;

export const isOperationsOpen = (): boolean => opened;
export const openOperations = (): void => set(true);
export const closeOperations = (): void => set(false);

export function onOperations(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(value: boolean): void {
  opened = value;
  for (const listener of listeners) listener();
}
