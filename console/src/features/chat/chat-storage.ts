/**
 * The chats of one person in this browser: the one on the screen in the tab, those of the history in `localStorage`. A sign-out removes both; the
 * relay stores none of them.
 */
import { whoAmIQuery } from '../../api/queries';
import { queryClient } from '../../api/query-client';
import { chatKey, historyKey, tabSignOuts } from '../../api/tab-storage';
import { defaultSettings, type ChatSettings, type Turn } from './conversation';

export interface StoredChat {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  readonly turns: readonly Turn[];
  readonly settings: ChatSettings;
  /** null: none was chosen. */
  readonly model: string | null;
  /** Answers beside the first one; null: one model answers. */
  readonly secondModel: string | null;
}

/** The person who has opened a chat, until the next sign-out in this tab. */
export interface ChatOwner {
  /** undefined where nobody is signed in. */
  readonly userId: string | undefined;
  readonly signOuts: number;
}

/** Older ones are dropped. */
const MOST_CHATS = 50;
/** Of all keys whose history is off; outlives a sign-out. */
const SWITCH_PREFIX = 'ferry.no-chat-history.';

const signedIn = (): string | undefined => queryClient.getQueryData(whoAmIQuery.queryKey)?.user?.user_id;

export const chatOwner = (): ChatOwner => ({ userId: signedIn(), signOuts: tabSignOuts() });

/** Unique in this browser; `crypto.randomUUID` is missing where the page came without TLS. */
export const newId = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

export const newChat = (chosen?: Pick<StoredChat, 'settings' | 'model' | 'secondModel'>): StoredChat => ({
  id: newId(),
  changedAt: Date.now(),
  turns: [],
  settings: chosen?.settings ?? defaultSettings,
  model: chosen?.model ?? null,
  secondModel: chosen?.secondModel ?? null,
});

/** The chat that this tab has shown last. */
export const loadChat = ({ userId }: ChatOwner): StoredChat =>
  (userId === undefined ? null : parseChat(sessionStorage.getItem(chatKey(userId)))) ?? newChat();

/**
 * Silently does nothing where there is no room: the chat on the screen is not touched. Nor once the person has signed out, which has removed it
 * while the page is still there.
 */
export function storeChat(owner: ChatOwner, chat: StoredChat): void {
  const { userId, signOuts } = owner;
  if (userId === undefined || userId !== signedIn() || signOuts !== tabSignOuts()) return;
  const text = JSON.stringify(chat);
  write(sessionStorage, chatKey(userId), text);
  if (chat.turns.length > 0 && keepsHistory(owner)) keep(owner, historyKey(userId, chat.id), text);
}

/** Newest first. */
export function listChats({ userId }: ChatOwner): readonly StoredChat[] {
  if (userId === undefined) return [];
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(historyKey(userId, '')))
    .flatMap((key) => parseChat(localStorage.getItem(key)) ?? [])
    .sort((one, other) => other.changedAt - one.changedAt);
}

export function removeChat({ userId }: ChatOwner, chatId: string): void {
  if (userId !== undefined) localStorage.removeItem(historyKey(userId, chatId));
}

/** After `removeChat`. */
export function restoreChat({ userId }: ChatOwner, chat: StoredChat): void {
  if (userId !== undefined) write(localStorage, historyKey(userId, chat.id), JSON.stringify(chat));
}

export const keepsHistory = ({ userId }: ChatOwner): boolean =>
  userId !== undefined && localStorage.getItem(`${SWITCH_PREFIX}${userId}`) === null;

/** What is in the history stays until it is removed. */
export function switchHistory({ userId }: ChatOwner, on: boolean): void {
  if (userId === undefined) return;
  if (on) localStorage.removeItem(`${SWITCH_PREFIX}${userId}`);
  else write(localStorage, `${SWITCH_PREFIX}${userId}`, 'off');
}

/** The oldest ones make room. */
function keep(owner: ChatOwner, key: string, text: string): void {
  const isNew = localStorage.getItem(key) === null;
  if (!isNew && write(localStorage, key, text)) return;
  const others = [...listChats(owner)].filter(({ id }) => !key.endsWith(`.${id}`));
  for (const { id } of others.splice(MOST_CHATS - 1)) removeChat(owner, id);
  while (!write(localStorage, key, text)) {
    const oldest = others.pop();
    if (oldest === undefined) return;
    removeChat(owner, oldest.id);
  }
}

function write(storage: Storage, key: string, text: string): boolean {
  try {
    storage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

function parseChat(text: string | null): StoredChat | null {
  try {
    const stored = JSON.parse(text ?? 'null') as Partial<StoredChat> | null;
    if (stored === null || !Array.isArray(stored.turns)) return null;
    const turns = stored.turns.map((turn: Turn) => (turn.role === 'user' ? turn : endedResponse(turn)));
    return { ...newChat(), ...stored, turns, settings: { ...defaultSettings, ...stored.settings } };
  } catch {
    return null;
  }
}

/** A response that was running when the tab was left did not go on. Chats of older versions have no lanes. */
const endedResponse = (turn: Extract<Turn, { role: 'assistant' }>): Turn => ({
  ...{ lane: 'first' as const },
  ...turn,
  state: turn.state === 'streaming' ? 'stopped' : turn.state,
});
