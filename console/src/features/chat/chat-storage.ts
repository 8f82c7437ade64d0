/** The conversation across reloads of this tab. It ends with the tab; nothing of it is stored elsewhere. */
import { defaultSettings, type ChatSettings, type Turn } from './conversation';

const KEY = 'ferry.chat';

export interface StoredChat {
  readonly turns: readonly Turn[];
  readonly settings: ChatSettings;
  /** null: none was chosen. */
  readonly model: string | null;
}

const nothing: StoredChat = { turns: [], settings: defaultSettings, model: null };

export function loadChat(): StoredChat {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<StoredChat> | null;
    if (stored === null || !Array.isArray(stored.turns)) return nothing;
    // An answer that was running when the page was left did not go on.
    const turns = stored.turns.map((turn: Turn) =>
      turn.role === 'assistant' && turn.state === 'streaming' ? { ...turn, state: 'stopped' as const } : turn,
    );
    return { turns, settings: { ...defaultSettings, ...stored.settings }, model: stored.model ?? null };
  } catch {
    return nothing;
  }
}

/** Silently does nothing where the tab has no room: the conversation on the screen is not touched. */
export function storeChat(chat: StoredChat): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(chat));
  } catch {
    return;
  }
}
