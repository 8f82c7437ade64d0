/** What a tab keeps of one person: a conversation of one must not be shown to another who signs in later in the same tab. */
const PREFIX = 'ferry.chat.';

let signOuts = 0;

export const chatKey = (userId: string): string => `${PREFIX}${userId}`;

/** How often somebody has signed out in this tab: what was opened before the last time must not be stored any more. */
export const tabSignOuts = (): number => signOuts;

/** At a sign-out, before the page changes: of everybody who has used the tab. */
export function forgetTab(): void {
  signOuts += 1;
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}
