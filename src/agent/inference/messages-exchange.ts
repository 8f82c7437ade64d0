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
import type { AnswerFacts, MessageEvent } from '../../dialects/messages/from-chat/message.js';
import { warmedEvents, warmedMessage } from '../../dialects/messages/from-chat/warm-up.js';
import { messagesToChat } from '../../dialects/messages/to-chat/to-chat.js';
import { estimateInputTokens } from '../../dialects/messages/token-estimate.js';
import { base62 } from '../../kernel/base62.js';
import type { ModelReport, OpenMessage } from '../../link/messages.js';
import type { AnswerWants, EngineObject, UsageReport } from '../engines/engine.js';
import type { Exchange } from './exchange.js';
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
  private readonly facts: AnswerFacts;
  private readonly stream: MessageStream;
  private readonly streaming: boolean;
  /** The answer is not wanted: only the prompt is to be read. */
  private readonly warming: boolean;
  private engineUsage: EngineUsage | null = null;
  private reported: UsageReport | null = null;

  /** @throws EngineFailure with a 400 and the field at fault */
  constructor(
    body: Buffer,
    { public_model: model }: Pick<OpenMessage, 'public_model'>,
    traits: Pick<ModelReport, 'reasoning'>,
    newId: NewId = randomId,
  ) {
    const envelope = parseRequest(body, readMessagesEnvelope);
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
      messageId: newId('msg_'),
      model,
      inputTokensEstimate: estimateInputTokens(chat.body),
      serialCalls: chat.body['parallel_tool_calls'] === false,
      stopSequences: elementsOf(chat.body['stop']).filter((text) => typeof text === 'string'),
      newCallId: () => newId('toolu_'),
    };
    this.stream = new MessageStream(this.facts);
  }

  get wants(): AnswerWants {
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
      else text += textOf(asNodeFailure(() => this.stream.push(chunk)));
    }
    return text === '' ? undefined : Buffer.from(text);
  }

  lastEvents(): Buffer {
    return Buffer.from(textOf(this.warming ? warmedEvents(this.engineUsage, this.facts) : this.stream.end()));
  }

  whole(answer: EngineObject): Buffer {
    this.reported = readUsage(answer['usage']);
    const message = this.warming
      ? warmedMessage(readEngineUsage(answer), this.facts)
      : chatToMessage(answer, this.facts);
    return Buffer.from(stringifyExact(message));
  }
}

const textOf = (events: readonly MessageEvent[]): string => events.map(messagesEvent).join('');
