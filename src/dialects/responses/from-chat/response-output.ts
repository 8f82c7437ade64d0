/**
 * State machine that converts fragments of a chat answer to items of a response (docs/reference/translation.md#chat-answer-to-a-response,
 * docs/reference/translation.md#chat-stream-to-a-responses-stream).
 */
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { EngineDelta, ToolCallFragment } from '../../chat/engine-chunk.js';
import { JsonEndScanner } from '../../../kernel/json-end-scanner.js';
import type { ClosedStatus, OutputItem, PositionLogprobs, TokenLogprob } from '../items.js';
import type { ResponseContext } from '../translation.js';
import { CustomCallItem, FunctionCallItem, type OpenCall } from './call-items.js';
import type { EventSink } from './event-log.js';
import { MessageItem } from './message-item.js';
import type { OpenItem } from './open-item.js';
import { ReasoningItem } from './reasoning-item.js';
import { elementsOf, isJsonObject } from '../../../kernel/json-object.js';

/** Log probabilities in the schema's format, which requires the bytes of every token (docs/reference/requirements.md). */

/** Ignores invalid entries. */
const readLogprobs = (entries: readonly unknown[]): readonly PositionLogprobs[] =>
  entries.flatMap((entry) =>
    tokenLogprob(entry).map((token) => ({
      ...token,
      top_logprobs: isJsonObject(entry) ? elementsOf(entry['top_logprobs']).flatMap(tokenLogprob) : [],
    })),
  );

function tokenLogprob(entry: unknown): readonly TokenLogprob[] {
  if (!isJsonObject(entry)) return [];
  const { token, logprob, bytes } = entry;
  if (typeof token !== 'string' || typeof logprob !== 'number') return [];
  return [{ token, logprob, bytes: isBytes(bytes) ? bytes : [...Buffer.from(token, 'utf8')] }];
}

const isBytes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((byte) => Number.isInteger(byte));

/**
 * Limit of the output, which is kept for the last events of each item; the same as for requests and lines
 * (docs/reference/public-api.md#body-size, docs/reference/link.md#event-boundaries).
 */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;
/** Limit of OpenResponses; longer ids would be refused as input. */
const MAX_CALL_ID_CHARACTERS = 64;

/** A call in progress; it becomes an item when its name is known. */
interface PendingCall {
  engineId: string;
  name: string;
  /** Arguments received before the name. */
  early: string;
  readonly arguments: JsonEndScanner;
  item: OpenCall | null;
  /** `ignored`: a further call although the client allows only one. */
  state: 'open' | 'closed' | 'ignored';
}

export class ResponseOutput {
  private readonly written: { readonly item: OpenItem; status: ClosedStatus | null }[] = [];
  /** The open reasoning or message item; calls may be open as well. */
  private speaking: MessageItem | ReasoningItem | null = null;
  private readonly calls = new Map<number, PendingCall>();
  private readonly callIds: Set<string>;
  private keptCharacters = 0;

  constructor(
    private readonly log: EventSink,
    private readonly context: Pick<ResponseContext, 'translation' | 'mintId'>,
  ) {
    this.callIds = new Set(context.translation.usedCallIds);
  }

  /** @throws FerryError `engine_error` when too much must be queued */
  add(delta: EngineDelta): void {
    this.keptCharacters += delta.reasoning.length + delta.text.length + delta.refusal.length;
    if (delta.reasoning !== '') this.reasoning().append(delta.reasoning);
    if (delta.text !== '') {
      this.message().say(delta.text, this.context.translation.logprobs ? readLogprobs(delta.logprobs) : []);
    }
    if (delta.refusal !== '') this.message().refuse(delta.refusal);
    delta.toolCalls.forEach((fragment, position) => {
      this.addToCall(fragment, position);
    });
    if (this.keptCharacters > MAX_KEPT_CHARACTERS) {
      throw new FerryError('engine_error', 'The answer of the engine is too long to be kept.');
    }
  }

  /**
   * Closes what is open, in output order.
   * @param status of the response: a limit cuts its last item
   * @throws FerryError `engine_error` for a call that was never named
   */
  close(status: ClosedStatus): void {
    const nameless = [...this.calls.values()].some(
      (call) => call.state === 'open' && call.item === null && call.early.trim() !== '',
    );
    if (nameless && status === 'completed') {
      throw new FerryError('engine_error', 'The engine called a tool without naming it.');
    }
    // The output must not be empty (docs/reference/translation.md#chat-answer-to-a-response).
    if (this.written.length === 0) this.message().say('', []);
    const last = this.written.at(-1)?.item;
    for (const { item, status: closed } of this.written) {
      if (closed !== null) continue;
      const cut = status === 'incomplete' && (item === last || this.isCutCall(item));
      this.closeItem(item, cut ? 'incomplete' : 'completed');
    }
    this.speaking = null;
  }

  /** The items so far. Unclosed ones are incomplete. */
  items(): readonly OutputItem[] {
    return this.written.map(({ item, status }) => item.item(status ?? 'incomplete'));
  }

  private reasoning(): ReasoningItem {
    if (this.speaking instanceof ReasoningItem) return this.speaking;
    this.stopSpeaking();
    this.closeFinishedCalls();
    const { mintId, translation } = this.context;
    return this.speak(new ReasoningItem(this.log, mintId('rs'), this.written.length, translation.encryptedReasoning));
  }

  private message(): MessageItem {
    if (this.speaking instanceof MessageItem) return this.speaking;
    this.stopSpeaking();
    this.closeFinishedCalls();
    return this.speak(new MessageItem(this.log, this.context.mintId('msg'), this.written.length));
  }

  private speak<Item extends MessageItem | ReasoningItem>(item: Item): Item {
    this.written.push({ item, status: null });
    this.speaking = item;
    return item;
  }

  private stopSpeaking(): void {
    if (this.speaking !== null) this.closeItem(this.speaking, 'completed');
    this.speaking = null;
  }

  /** Closes complete calls only: text between two fragments of a call must not end it. */
  private closeFinishedCalls(): void {
    for (const call of this.calls.values()) {
      if (call.state !== 'open' || call.item === null || !call.arguments.complete) continue;
      this.closeItem(call.item, 'completed');
      call.state = 'closed';
    }
  }

  private closeItem(item: OpenItem, status: ClosedStatus): void {
    const entry = this.written[item.outputIndex];
    if (entry !== undefined) entry.status = status;
    item.close(status);
  }

  private isCutCall(item: OpenItem): boolean {
    const call = [...this.calls.values()].find((candidate) => candidate.item === item);
    return call !== undefined && !call.arguments.complete;
  }

  private beginCall(index: number, { id, name }: ToolCallFragment): PendingCall {
    const ignored = this.calls.size > 0 && !this.context.translation.parallelToolCalls;
    const call: PendingCall = {
      engineId: id,
      name,
      early: '',
      arguments: new JsonEndScanner(),
      item: null,
      state: ignored ? 'ignored' : 'open',
    };
    this.calls.set(index, call);
    return call;
  }

  private addToCall(fragment: ToolCallFragment, position: number): void {
    const index = fragment.index ?? position;
    const call = this.calls.get(index) ?? this.beginCall(index, fragment);
    // The call is complete at the end of its arguments.
    if (call.state !== 'open') return;
    this.keptCharacters += fragment.arguments.length;
    call.engineId ||= fragment.id;
    call.name ||= fragment.name;
    call.arguments.push(fragment.arguments);
    call.early += fragment.arguments;
    if (call.name === '') return;
    call.item ??= this.openCall(call);
    call.item.append(call.early);
    call.early = '';
  }

  private openCall(call: PendingCall): OpenCall {
    this.stopSpeaking();
    const tool = this.context.translation.tools.get(call.name);
    const Item = tool?.kind === 'custom' ? CustomCallItem : FunctionCallItem;
    const namespace = tool?.namespace ?? null;
    const called = {
      id: this.context.mintId(tool?.kind === 'custom' ? 'ctc' : 'fc'),
      call_id: this.callId(call.engineId),
      name: tool?.name ?? call.name,
      ...(namespace !== null && { namespace }),
    };
    const item = new Item(this.log, called, this.written.length);
    this.written.push({ item, status: null });
    return item;
  }

  /** The engine's id if it is unique. */
  private callId(engineId: string): string {
    const usable = engineId !== '' && engineId.length <= MAX_CALL_ID_CHARACTERS && !this.callIds.has(engineId);
    const id = usable ? engineId : this.context.mintId('call');
    this.callIds.add(id);
    return id;
  }
}
