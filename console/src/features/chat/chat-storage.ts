/** The conversation of one person across reloads of this tab. It ends with the tab or a sign-out; nothing of it is stored elsewhere. */
import { whoAmIQuery } from '../../api/queries';
import { queryClient } from '../../api/query-client';
import { chatKey, tabSignOuts } from '../../api/tab-storage';
import { defaultSettings, type ChatSettings, type Turn } from './conversation';

export interface StoredChat {
  readonly turns: readonly Turn[];
  readonly settings: ChatSettings;
  /** null: none was chosen. */
  readonly model: string | null;
}

const nothing: StoredChat = { turns: [], settings: defaultSettings, model: null };

/** The person who has opened a conversation, until the next sign-out in this tab. */
export interface ChatOwner {
  /** undefined where nobody is signed in. */
  readonly userId: string | undefined;
  readonly signOuts: number;
}

const signedIn = (): string | undefined => queryClient.getQueryData(whoAmIQuery.queryKey)?.user?.user_id;

export const chatOwner = (): ChatOwner => ({ userId: signedIn(), signOuts: tabSignOuts() });

export function loadChat({ userId }: ChatOwner): StoredChat {
  if (userId === undefined) return nothing;
  try {
    const stored = JSON.parse(sessionStorage.getItem(chatKey(userId)) ?? 'null') as Partial<StoredChat> | null;
    if (stored === null || !Array.isArray(stored.turns)) return nothing;
    // A response that was running when the page was left did not go on.
    const turns = stored.turns.map((turn: Turn) =>
      turn.role === 'assistant' && turn.state === 'streaming' ? { ...turn, state: 'stopped' as const } : turn,
    );
    return { turns, settings: { ...defaultSettings, ...stored.settings }, model: stored.model ?? null };
  } catch {
    return nothing;
  }
}

/**
 * Silently does nothing where the tab has no room: the conversation on the screen is not touched. Nor once the person has signed out, which
 * has removed it while the page is still there.
 */
export function storeChat({ userId, signOuts }: ChatOwner, chat: StoredChat): void {
  if (userId === undefined || userId !== signedIn() || signOuts !== tabSignOuts()) return;
  try {
    sessionStorage.setItem(chatKey(userId), JSON.stringify(chat));
  } catch {
    return;
  }
}
