/** How an e-mail address is stored and compared: two spellings that reach the same mailbox in practice are one person. */
export const normalEmail = (text: string): string => text.trim().normalize('NFKC').toLowerCase();
