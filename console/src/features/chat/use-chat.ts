import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../api/api-problem';
import { announceSignedOut } from '../../api/client';
import { chatOwner, loadChat, storeChat } from './chat-storage';
import { streamChat } from './chat-stream';
import {
  before,
  requestFor,
  upToLastQuestion,
  withResponse,
  type ResponseTurn,
  type ChatSettings,
  type Turn,
} from './conversation';

/** Text is drawn so often: each time the Markdown of the whole response is read again. */
const DRAW_EVERY_MS = 60;
const STORE_AFTER_MS = 400;

/** Unique in this tab; `crypto.randomUUID` is missing where the page came without TLS. */
const newId = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

const newResponse = (model: string): ResponseTurn => ({
  role: 'assistant',
  id: newId(),
  text: '',
  reasoning: '',
  state: 'streaming',
  model,
  requestId: null,
  firstTokenMs: null,
  totalMs: null,
  outputTokens: null,
  problem: null,
});

export interface Chat {
  readonly turns: readonly Turn[];
  readonly settings: ChatSettings;
  readonly model: string | null;
  readonly streaming: boolean;
  readonly setSettings: (settings: ChatSettings) => void;
  readonly setModel: (model: string) => void;
  /** @param edited the question that this one replaces, with everything after it */
  readonly send: (text: string, model: string, edited?: string) => void;
  /** Answers the last question again. */
  readonly regenerate: (model: string) => void;
  readonly stop: () => void;
  readonly clear: () => void;
}

export function useChat(cluster: string | undefined): Chat {
  const [owner] = useState(chatOwner);
  const [stored] = useState(() => loadChat(owner));
  const [turns, setTurns] = useState(stored.turns);
  const [settings, setSettings] = useState(stored.settings);
  const [model, setModel] = useState(stored.model);
  const running = useRef<AbortController>(undefined);
  const streaming = turns.some((turn) => turn.role === 'assistant' && turn.state === 'streaming');

  const latest = useRef({ turns, settings, model });
  useEffect(() => {
    latest.current = { turns, settings, model };
    const timer = setTimeout(() => storeChat(owner, latest.current), STORE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [owner, turns, settings, model]);
  useEffect(() => {
    // Another page is opened before the timer ran.
    const store = (): void => storeChat(owner, latest.current);
    globalThis.addEventListener('pagehide', store);
    return () => {
      globalThis.removeEventListener('pagehide', store);
      running.current?.abort();
      store();
    };
  }, [owner]);

  const stop = useCallback(() => running.current?.abort(), []);

  const response = (asked: readonly Turn[], model: string) => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    const turn = newResponse(model);
    setTurns([...asked, turn]);
    void run(
      turn,
      abort.signal,
      (change) => setTurns((current) => withResponse(current, turn.id, change)),
      () => streamArguments(model, asked, settings, cluster),
    );
  };

  return {
    turns,
    settings,
    model,
    streaming,
    setSettings,
    setModel,
    send: (text, model, edited) => {
      const kept = edited === undefined ? turns : before(turns, edited);
      response([...kept, { role: 'user', id: newId(), text }], model);
    },
    regenerate: (model) => response(upToLastQuestion(turns), model),
    stop,
    clear: () => {
      stop();
      setTurns([]);
    },
  };
}

const streamArguments = (
  model: string,
  asked: readonly Turn[],
  settings: ChatSettings,
  cluster: string | undefined,
) => ({ request: requestFor(model, asked, settings), cluster });

/** Collects what arrives and draws it in steps. */
async function run(
  turn: ResponseTurn,
  signal: AbortSignal,
  update: (change: Partial<ResponseTurn>) => void,
  start: () => ReturnType<typeof streamArguments>,
): Promise<void> {
  const startedAt = performance.now();
  const passedMs = (): number => performance.now() - startedAt;
  let change: { -readonly [Field in keyof ResponseTurn]?: ResponseTurn[Field] } = {};
  let { text, reasoning } = turn;
  let firstTokenMs: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = (): void => {
    clearTimeout(timer);
    timer = undefined;
    update(change);
    change = {};
  };
  const collect = (more: typeof change): void => {
    Object.assign(change, more);
    timer ??= setTimeout(draw, DRAW_EVERY_MS);
  };
  const begun = (): void => {
    if (firstTokenMs === null) collect({ firstTokenMs: (firstTokenMs = passedMs()) });
  };
  const { request, cluster } = start();
  try {
    const listener = {
      started: (requestId: string | null) => collect({ requestId }),
      text: (chunk: string) => {
        begun();
        collect({ text: (text += chunk) });
      },
      reasoning: (chunk: string) => {
        begun();
        collect({ reasoning: (reasoning += chunk) });
      },
      usage: (outputTokens: number) => collect({ outputTokens }),
    };
    await streamChat(request, listener, { signal, cluster });
    collect({ state: 'done', totalMs: passedMs() });
  } catch (error) {
    if (signal.aborted) collect({ state: 'stopped', totalMs: passedMs() });
    else {
      const { status, code, message, requestId } = ApiProblem.of(error);
      collect({ state: 'failed', totalMs: passedMs(), problem: { status, code, message, requestId } });
      // Also inside a stream, whose status was 200.
      if (code === 'invalid_credential') announceSignedOut();
    }
  }
  draw();
}
