/** The stored and compared form: spellings that reach the same mailbox in practice are the same user. */
export const normalEmail = (text: string): string => text.trim().normalize('NFKC').toLowerCase();
