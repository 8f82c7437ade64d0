/** What a browser keeps of one person's chats: those of one must not be shown to another who signs in later in the same browser. */
const PREFIX = 'ferry.chat.';

let signOuts = 0;
const listeners = new Set<() => void>();

/** In the tab: the chat on the screen. */
export const chatKey = (userId: string): string => `${PREFIX}${userId}`;

/** In the browser: the history. @param chatId '' is the beginning of all of the person's keys */
export const historyKey = (userId: string, chatId: string): string => `${PREFIX}${userId}.${chatId}`;

/** How often somebody has signed out in this tab: what was opened before the last time must not be stored any more. */
export const tabSignOuts = (): number => signOuts;

/** Called at a sign-out in this tab. */
export const onSignOut = (listener: () => void): void => void listeners.add(listener);

/** At a sign-out, before the page changes: the chats of everybody who has used the tab or, with a history, the browser. */
export function forgetChats(): void {
  signOuts += 1;
  for (const listener of listeners) listener();
  for (const storage of [sessionStorage, localStorage]) {
    for (const key of Object.keys(storage)) {
      if (key.startsWith(PREFIX)) storage.removeItem(key);
    }
  }
}
