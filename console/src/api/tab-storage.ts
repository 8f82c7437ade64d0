/** What a browser keeps of one person: nothing of it may be shown to another who signs in later in the same browser. */
const CHATS = 'ferry.chat.';
const RECENT = 'ferry.recent.';

let signOuts = 0;
const listeners = new Set<() => void>();

/** In the tab: the chat on the screen. */
export const chatKey = (userId: string): string => `${CHATS}${userId}`;

/** In the browser: the history. @param chatId '' is the beginning of all of the person's keys */
export const historyKey = (userId: string, chatId: string): string => `${CHATS}${userId}.${chatId}`;

/** In the browser: what the person has visited last. */
export const recentKey = (accountId: string, userId: string): string => `${RECENT}${accountId}.${userId}`;

/** How often somebody has signed out in this tab: what was opened before the last time must not be stored any more. */
export const tabSignOuts = (): number => signOuts;

/** Called at a sign-out in this tab. */
export const onSignOut = (listener: () => void): void => void listeners.add(listener);

/** At a sign-out, before the page changes: what is kept of everybody who has used the tab or the browser. */
export function forgetPeople(): void {
  signOuts += 1;
  for (const listener of listeners) listener();
  for (const storage of [sessionStorage, localStorage]) {
    for (const key of Object.keys(storage)) {
      if (key.startsWith(CHATS) || key.startsWith(RECENT)) storage.removeItem(key);
    }
  }
}
