/** A chat and what happens to it, as pure functions. */

export interface UserTurn {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
}

/** Two models can answer the same questions side by side; each continues its own answers. */
export type Lane = 'first' | 'second';

export interface ResponseTurn {
  readonly role: 'assistant';
  readonly id: string;
  readonly lane: Lane;
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

/** A question and its answers, one per lane. */
export interface Exchange {
  readonly question: UserTurn;
  readonly responses: readonly ResponseTurn[];
}

const laneOrder: Readonly<Record<Lane, number>> = { first: 0, second: 1 };

export function exchangesOf(turns: readonly Turn[]): readonly Exchange[] {
  const exchanges: { readonly question: UserTurn; readonly responses: ResponseTurn[] }[] = [];
  for (const turn of turns) {
    if (turn.role === 'user') exchanges.push({ question: turn, responses: [] });
    else exchanges.at(-1)?.responses.push(turn);
  }
  for (const { responses } of exchanges) responses.sort((a, b) => laneOrder[a.lane] - laneOrder[b.lane]);
  return exchanges;
}

/** One model's view of the chat: its own answers, and the other's where it was not asked. */
const turnsOfLane = (turns: readonly Turn[], lane: Lane): readonly Turn[] =>
  exchangesOf(turns).flatMap(({ question, responses }) => {
    const response = responses.find((one) => one.lane === lane) ?? responses[0];
    return response === undefined ? [question] : [question, response];
  });

/** What is sent for these turns: answers without text and reasoning are left out. */
export function requestFor(
  model: string,
  turns: readonly Turn[],
  settings: ChatSettings,
  lane: Lane = 'first',
): ChatRequest {
  const { system, temperature, topP, maxTokens } = settings;
  return {
    model,
    messages: [
      ...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...turnsOfLane(turns, lane)
        .filter(({ text }) => text !== '')
        .map(({ role, text }) => ({ role, content: text })),
    ],
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(maxTokens !== null && { max_tokens: maxTokens }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** The turns up to the last question: what a repeated answer answers, and what a program would send. */
export function upToLastQuestion(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.findLastIndex(({ role }) => role === 'user');
  return turns.slice(0, last + 1);
}

/** The turns without a lane's answer to the last question: the other lane keeps its own. */
export function withoutLastResponse(turns: readonly Turn[], lane: Lane): readonly Turn[] {
  const last = turns.findLastIndex(({ role }) => role === 'user');
  return turns.filter((turn, index) => index <= last || turn.role === 'user' || turn.lane !== lane);
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

export const isStreaming = (turns: readonly Turn[]): boolean =>
  turns.some((turn) => turn.role === 'assistant' && turn.state === 'streaming');

/** A response that comes in one piece has no speed that could be seen. */
const SHORTEST_DECODE_MS = 50;

/** Tokens per second from the first one on; null where that says nothing. */
export function responseSpeed({ outputTokens, firstTokenMs, totalMs }: ResponseTurn): number | null {
  if (outputTokens === null || firstTokenMs === null || totalMs === null) return null;
  const decodeMs = totalMs - firstTokenMs;
  return outputTokens < 2 || decodeMs < SHORTEST_DECODE_MS ? null : (outputTokens - 1) / (decodeMs / 1_000);
}
