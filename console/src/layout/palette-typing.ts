/** Marks the field of the palette. */
export const PALETTE_FIELD = 'data-palette-field';

/** What the keyboard does, as far as it concerns a field that is not there yet. */
export interface EarlyKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** @returns the text after a key was pressed; undefined: the key is not about text */
export function typedText(text: string, { key, ctrlKey, metaKey, altKey }: EarlyKey): string | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === 'Backspace') return Array.from(text).slice(0, -1).join('');
  return Array.from(key).length === 1 ? text + key : undefined;
}

interface Typing {
  readonly text: () => string;
  readonly onText: (text: string) => void;
  readonly onEscape: () => void;
}

/**
 * Keeps what is typed between the key that opens the palette and the moment in which its field has the focus, as its code may have to be fetched first.
 * @returns what ends it before that
 */
export function keepTyping({ text, onText, onEscape }: Typing): () => void {
  const end = (): void => globalThis.removeEventListener('keydown', onKey, true);
  const onKey = (event: KeyboardEvent): void => {
    if (document.activeElement?.hasAttribute(PALETTE_FIELD)) {
      end();
      return;
    }
    const next = typedText(text(), event);
    if (next !== undefined) onText(next);
    else if (event.key === 'Escape') onEscape();
    else return;
    // What had the focus before does not take it, too.
    event.preventDefault();
    event.stopPropagation();
  };
  globalThis.addEventListener('keydown', onKey, true);
  return end;
}
