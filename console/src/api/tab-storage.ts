/** What a tab keeps of one person: a conversation of one must not be shown to another who signs in later in the same tab. */
const PREFIX = 'ferry.chat.';

export const chatKey = (userId: string): string => `${PREFIX}${userId}`;

/** At a sign-out: of everybody who has used the tab. */
export function forgetTab(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}
