/**
 * The result of a call that the conversation has none for: a turn was stopped while its tool ran. Chat requires one for each call, and
 * engines and templates refuse the conversation without. It must not claim a cause that nobody knows.
 */
export const MISSING_RESULT = 'No result was recorded: the call was interrupted.';
