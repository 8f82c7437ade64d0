/** A conversation and what happens to it, as pure functions. It is kept in the memory of the tab (`sessionStorage`) and nowhere else. */

export interface UserTurn {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
}

export interface ResponseTurn {
  readonly role: 'assistant';
  readonly id: string;
  readonly text: string;
  readonly reasoning: string;
  readonly state: 'streaming' | 'done' | 'stopped' | 'failed';
  readonly model: string;
  readonly requestId: string | null;
  /** Milliseconds since the question was sent. */
  readonly firstTokenMs: number | null;
  readonly totalMs: number | null;
  /** By the engine; null: it did not say. */
  readonly outputTokens: number | null;
  /** Of a failure. */
  readonly problem: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly requestId: string | null;
  } | null;
}

export type Turn = UserTurn | ResponseTurn;

/** Absent: the model's own. */
export interface ChatSettings {
  readonly system: string;
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly maxTokens: number | null;
}

export const defaultSettings: ChatSettings = { system: '', temperature: null, topP: null, maxTokens: null };

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly stream: true;
  readonly stream_options: { readonly include_usage: true };
}

/** What is sent for these turns: answers without text and reasoning are left out. */
export function requestFor(model: string, turns: readonly Turn[], settings: ChatSettings): ChatRequest {
  const { system, temperature, topP, maxTokens } = settings;
  return {
    model,
    messages: [
      ...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...turns.filter(({ text }) => text !== '').map(({ role, text }) => ({ role, content: text })),
    ],
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(maxTokens !== null && { max_tokens: maxTokens }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** The turns up to the last question: what a repeated answer answers. */
export function upToLastQuestion(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.findLastIndex(({ role }) => role === 'user');
  return turns.slice(0, last + 1);
}

/** The turns before a question: what an edited question follows. */
export const before = (turns: readonly Turn[], id: string): readonly Turn[] =>
  turns.slice(
    0,
    Math.max(
      0,
      turns.findIndex((turn) => turn.id === id),
    ),
  );

export const withResponse = (turns: readonly Turn[], id: string, change: Partial<ResponseTurn>): readonly Turn[] =>
  turns.map((turn) => (turn.id === id && turn.role === 'assistant' ? { ...turn, ...change } : turn));

/** A response that comes in one piece has no speed that could be seen. */
const SHORTEST_DECODE_MS = 50;

/** Tokens per second from the first one on; null where that says nothing. */
export function responseSpeed({ outputTokens, firstTokenMs, totalMs }: ResponseTurn): number | null {
  if (outputTokens === null || firstTokenMs === null || totalMs === null) return null;
  const decodeMs = totalMs - firstTokenMs;
  return outputTokens < 2 || decodeMs < SHORTEST_DECODE_MS ? null : (outputTokens - 1) / (decodeMs / 1_000);
}
