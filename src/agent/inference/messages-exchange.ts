/**
 * Anthropic's messages, which become a chat request for the engine and a message for the client
 * (docs/reference/engines.md#adapter-rules).
 */
import { stringifyExact } from '../../kernel/exact-json.js';
import { randomBytes } from 'node:crypto';
import { elementsOf } from '../../kernel/json-object.js';
import { readEngineUsage, type EngineUsage } from '../../dialects/chat/engine-chunk.js';
import { readMessagesEnvelope } from '../../dialects/messages/envelope.js';
import { messagesEvent } from '../../dialects/messages/frames.js';
import { chatToMessage } from '../../dialects/messages/from-chat/from-chat.js';
import { MessageStream } from '../../dialects/messages/from-chat/from-chat-stream.js';
import type { ResponseFacts, MessageEvent } from '../../dialects/messages/from-chat/message.js';
import { warmedEvents, warmedMessage } from '../../dialects/messages/from-chat/warm-up.js';
import { unsupportedThread } from '../../dialects/messages/thread.js';
import { messagesToChat } from '../../dialects/messages/to-chat/to-chat.js';
import { estimateInputTokens } from '../../dialects/messages/token-estimate.js';
import { base62 } from '../../kernel/base62.js';
import type { ModelReport, OpenMessage } from '../../link/messages.js';
import type { ResponseOptions, EngineObject, UsageReport } from '../engines/engine.js';
import type { Exchange, ExchangeContext } from './exchange.js';
import { ThreadedMessage } from './threaded-message.js';
import { asNodeFailure, parseRequest } from './translation-failure.js';
import { countedUsage, readUsage } from './usage.js';

/** A new id that begins with the prefix. */
type NewId = (prefix: string) => string;

const ID_BYTES = 18;
const ID_CHARACTERS = 24;
const randomId: NewId = (prefix) => prefix + base62(randomBytes(ID_BYTES), ID_CHARACTERS);

export class MessagesExchange implements Exchange {
  readonly body: Buffer;
  readonly dropped: readonly string[];
  readonly changed: readonly string[];
  readonly withoutLaterSystem: (() => Buffer) | undefined;
  private readonly facts: ResponseFacts;
  private readonly stream: MessageStream;
  private readonly streaming: boolean;
  /** The response is not wanted: only the prompt is to be read. */
  private readonly warming: boolean;
  private engineUsage: EngineUsage | null = null;
  private reported: UsageReport | null = null;

  /** Undefined: the conversation is not kept. */
  private readonly thread: ThreadedMessage | undefined;

  /** @throws EngineFailure with a 400 and the field at fault, or with the fault of a thread */
  constructor(
    body: Buffer,
    head: Pick<OpenMessage, 'public_model' | 'scope' | 'response_id'>,
    traits: Pick<ModelReport, 'reasoning'>,
    { threads }: Pick<ExchangeContext, 'threads'>,
    newId: NewId = randomId,
  ) {
    const asked = parseRequest(body, readMessagesEnvelope);
    const { thread: use } = asked;
    if (use !== null) {
      this.thread = asNodeFailure(() => {
        if (!threads.fits(body.length)) throw unsupportedThread();
        return new ThreadedMessage(asked, use, head, threads);
      });
    }
    const envelope = this.thread === undefined ? asked : { ...asked, body: this.thread.body };
    const chat = messagesToChat(envelope, traits);
    this.body = Buffer.from(stringifyExact(chat.body));
    this.dropped = chat.dropped;
    this.changed = chat.changed;
    if (chat.hasLaterSystem) {
      this.withoutLaterSystem = () =>
        Buffer.from(stringifyExact(messagesToChat(envelope, { ...traits, laterSystem: 'user' }).body));
    }
    this.warming = envelope.body['max_tokens'] === 0;
    this.streaming = envelope.stream;
    this.facts = {
      messageId: this.thread?.messageId ?? newId('msg_'),
      model: head.public_model,
      inputTokensEstimate: estimateInputTokens(chat.body),
      serialCalls: chat.body['parallel_tool_calls'] === false,
      stopSequences: elementsOf(chat.body['stop']).filter((text) => typeof text === 'string'),
      newCallId: () => newId('toolu_'),
    };
    this.stream = new MessageStream(this.facts);
    this.thread?.begun();
  }

  get responseOptions(): ResponseOptions {
    return { matchedStop: this.facts.stopSequences.length > 0, promptTokens: this.streaming };
  }

  metered(usageSoFar: () => UsageReport | null): void {
    this.stream.metered(() => usageSoFar()?.input_tokens ?? null);
  }

  get usage(): UsageReport | null {
    return this.reported ?? countedUsage(this.stream.outputChunks);
  }

  events(batch: readonly EngineObject[]): Buffer | undefined {
    let text = '';
    for (const chunk of batch) {
      this.reported = readUsage(chunk['usage']) ?? this.reported;
      if (this.warming) this.engineUsage = readEngineUsage(chunk) ?? this.engineUsage;
      else text += textOf(this.emitted(asNodeFailure(() => this.stream.push(chunk))));
    }
    return text === '' ? undefined : Buffer.from(text);
  }

  /** A thread is kept before the end is sent: the client may go on as soon as it has read that. */
  lastEvents(): Buffer {
    const events = this.emitted(this.warming ? warmedEvents(this.engineUsage, this.facts) : this.stream.end());
    this.thread?.answered();
    return Buffer.from(textOf(events));
  }

  whole(response: EngineObject): Buffer {
    this.reported = readUsage(response['usage']);
    const message = this.warming
      ? warmedMessage(readEngineUsage(response), this.facts)
      : chatToMessage(response, this.facts);
    this.thread?.answered(message.content);
    return Buffer.from(stringifyExact(message));
  }

  over(): void {
    this.thread?.over();
  }

  private emitted(events: readonly MessageEvent[]): readonly MessageEvent[] {
    return this.thread === undefined ? events : this.thread.take(events);
  }
}

const textOf = (events: readonly MessageEvent[]): string => events.map(messagesEvent).join('');
