/** The chat of this tab. It belongs to no page, so that an answer goes on while other pages are visited. */
import { onSignedOut } from '../../api/client';
import { onSignOut } from '../../api/tab-storage';
import { chatOwner, loadChat, newChat, newId, storeChat, type ChatOwner, type StoredChat } from './chat-storage';
import {
  before,
  isStreaming,
  requestFor,
  upToLastQuestion,
  withoutLastResponse,
  withResponse,
  type ChatSettings,
  type Lane,
  type ResponseTurn,
} from './conversation';
import { runResponse } from './run-response';

const STORE_AFTER_MS = 400;

export interface ShownChat extends StoredChat {
  readonly streaming: boolean;
  /** What the last "New chat" has closed, as long as it can be brought back. */
  readonly closed: StoredChat | null;
}

export interface Question {
  readonly text: string;
  /** Their ids; of one model, or of two that answer side by side. */
  readonly models: readonly [first: string, second?: string];
  readonly cluster: string | undefined;
  /** The question that this one replaces, with everything after it. */
  readonly edited?: string | undefined;
}

const newResponse = (model: string, lane: Lane): ResponseTurn => ({
  role: 'assistant',
  id: newId(),
  lane,
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

export class ChatSession {
  private shown: ShownChat;
  private readonly listeners = new Set<() => void>();
  private readonly running = new Map<string, AbortController>();
  /** Set while a change is not stored yet. */
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly owner: ChatOwner) {
    this.shown = { ...loadChat(owner), streaming: false, closed: null };
    // The tab is closed or reloaded before the timer ran.
    globalThis.addEventListener('pagehide', this.store);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = (): ShownChat => this.shown;

  readonly setSettings = (settings: ChatSettings): void => this.change({ settings });

  readonly setModel = (model: string): void => this.change({ model });

  /** @param secondModel null: one model answers */
  readonly setSecondModel = (secondModel: string | null): void => this.change({ secondModel });

  readonly send = ({ text, models: [first, second], cluster, edited }: Question): void => {
    this.stop();
    const { turns } = this.shown;
    const kept = edited === undefined ? turns : before(turns, edited);
    this.change({ turns: [...kept, { role: 'user', id: newId(), text }], closed: null });
    this.respond('first', first, cluster);
    if (second !== undefined) this.respond('second', second, cluster);
  };

  /** Answers the last question again. */
  readonly regenerate = (lane: Lane, model: string, cluster: string | undefined): void => {
    this.change({ turns: withoutLastResponse(this.shown.turns, lane) });
    this.respond(lane, model, cluster);
  };

  readonly stop = (): void => {
    for (const abort of this.running.values()) abort.abort();
  };

  readonly startNew = (): void => {
    const { turns } = this.shown;
    this.leave({ ...newChat(this.shown), closed: turns.length === 0 ? null : this.shown });
  };

  readonly undoNew = (): void => {
    const { closed } = this.shown;
    if (closed !== null) this.leave({ ...closed, closed: null });
  };

  readonly open = (chat: StoredChat): void => this.leave({ ...chat, closed: null });

  /** Once the person has signed out. */
  readonly end = (): void => {
    globalThis.removeEventListener('pagehide', this.store);
    clearTimeout(this.timer);
    this.timer = undefined;
    this.stop();
  };

  /** Stores what is on the screen first. */
  private leave(next: Omit<ShownChat, 'streaming'>): void {
    for (const turn of this.shown.turns) {
      if (this.running.has(turn.id)) this.update(turn.id, { state: 'stopped' });
    }
    this.stop();
    this.running.clear();
    this.store();
    const closed = next.closed && { ...next.closed, turns: this.shown.turns };
    this.change({ ...next, closed });
  }

  private respond(lane: Lane, model: string, cluster: string | undefined): void {
    const { turns, settings } = this.shown;
    const asked = withoutLastResponse(turns, lane);
    const turn = newResponse(model, lane);
    const abort = new AbortController();
    this.running.set(turn.id, abort);
    this.change({ turns: [...asked, turn] });
    void runResponse({
      request: requestFor(model, upToLastQuestion(asked), settings, lane),
      cluster,
      signal: abort.signal,
      update: (change) => this.update(turn.id, change),
    }).finally(() => this.running.delete(turn.id));
  }

  /** What arrives after its chat was left is dropped. */
  private update(id: string, change: Partial<ResponseTurn>): void {
    if (this.running.has(id)) this.change({ turns: withResponse(this.shown.turns, id, change) });
  }

  private change(change: Partial<ShownChat>): void {
    const next = { ...this.shown, ...change };
    this.shown = { ...next, changedAt: change.changedAt ?? Date.now(), streaming: isStreaming(next.turns) };
    this.timer ??= setTimeout(this.store, STORE_AFTER_MS);
    for (const listener of this.listeners) listener();
  }

  private readonly store = (): void => {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    const { streaming: _streaming, closed: _closed, ...chat } = this.shown;
    storeChat(this.owner, chat);
  };
}

let session: ChatSession | undefined;

/** Of the person who is signed in now. */
export function chatSession(): ChatSession {
  const owner = chatOwner();
  if (session?.owner.userId !== owner.userId || session?.owner.signOuts !== owner.signOuts) endSession();
  return (session ??= new ChatSession(owner));
}

function endSession(): void {
  session?.end();
  session = undefined;
}

onSignOut(endSession);
onSignedOut(endSession);
