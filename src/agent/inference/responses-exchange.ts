/**
 * OpenResponses, which become a chat request for the engine and a response for the client, remembered for its continuation
 * (docs/reference/engines.md#stored-conversations).
 */
import { stringifyExact } from '../../kernel/exact-json.js';
import { readResponsesEnvelope, type ResponsesEnvelope } from '../../dialects/responses/envelope.js';
import { responseFromChat } from '../../dialects/responses/from-chat/from-chat.js';
import { ResponseStream } from '../../dialects/responses/from-chat/from-chat-stream.js';
import type { OutputItem, ResponseItem } from '../../dialects/responses/items.js';
import { responsesToChat } from '../../dialects/responses/to-chat/to-chat.js';
import type { ResponseContext } from '../../dialects/responses/translation.js';
import { createItemId } from '../../kernel/response-id.js';
import type { ModelReport, OpenMessage } from '../../link/messages.js';
import { EngineFailure, type EngineObject, type UsageReport } from '../engines/engine.js';
import { ItemFinder } from './conversations/response-store.js';
import type { Exchange, ExchangeContext } from './exchange.js';
import { carriesOutput } from './native-chunks.js';
import { asNodeFailure, parseRequest } from './translation-failure.js';
import { countedUsage, readUsage } from './usage.js';

export class ResponsesExchange implements Exchange {
  readonly body: Buffer;
  readonly dropped: readonly string[];
  readonly changed: readonly string[];
  readonly withoutLaterSystem: (() => Buffer) | undefined;
  private readonly response: ResponseContext;
  private readonly stream: ResponseStream;
  /** Stores the conversation for a later request; does nothing if the client disabled storing. */
  private readonly remember: (output: readonly OutputItem[]) => void;
  private reported: UsageReport | null = null;
  private outputChunks = 0;

  /** @throws EngineFailure with a 400 and the field at fault, or with the 404 of a conversation that is not here */
  constructor(
    body: Buffer,
    head: Pick<OpenMessage, 'public_model' | 'scope' | 'response_id'>,
    { reasoning }: Pick<ModelReport, 'reasoning'>,
    { responses, clock }: Pick<ExchangeContext, 'responses' | 'clock'>,
  ) {
    const envelope = parseRequest(body, readResponsesEnvelope);
    const { scope } = head;
    const earlier = earlierItems(envelope, (responseId) => responses.find(scope, responseId));
    const findItem = new ItemFinder(responses, scope).find;
    const chat = asNodeFailure(() => responsesToChat(envelope.body, { earlier, findItem, reasoning }));
    this.body = Buffer.from(stringifyExact(chat.body));
    this.dropped = chat.dropped;
    this.changed = chat.changed;
    const { withoutLaterSystem } = chat;
    if (withoutLaterSystem !== undefined) {
      this.withoutLaterSystem = () => Buffer.from(stringifyExact(withoutLaterSystem()));
    }
    // Without an id from the relay the response cannot be continued.
    const responseId = head.response_id ?? createItemId('resp', '');
    this.response = {
      responseId,
      model: head.public_model,
      request: envelope.body,
      translation: chat.response,
      clock,
      mintId: (prefix) => createItemId(prefix, responseId),
    };
    this.stream = new ResponseStream(this.response);
    this.remember = (output) => {
      if (!envelope.store) return;
      responses.keep(scope, responseId, [...earlier, ...chat.items, ...output.map((item) => ({ ...item }))]);
    };
  }

  get usage(): UsageReport | null {
    return this.reported ?? countedUsage(this.outputChunks);
  }

  events(batch: readonly EngineObject[]): Buffer | undefined {
    let text = '';
    for (const chunk of batch) {
      this.reported = readUsage(chunk['usage']) ?? this.reported;
      if (carriesOutput(chunk)) this.outputChunks += 1;
      text += asNodeFailure(() => this.stream.push(chunk));
    }
    return text === '' ? undefined : Buffer.from(text);
  }

  keepAlive(): Buffer {
    return Buffer.from(this.stream.keepAlive());
  }

  /** Remembered before it is sent: the client may go on as soon as it has read the end. */
  lastEvents(): Buffer {
    const events = asNodeFailure(() => this.stream.finish());
    this.remember(this.stream.items);
    return Buffer.from(events);
  }

  whole(result: EngineObject): Buffer {
    this.reported = readUsage(result['usage']);
    const response = asNodeFailure(() => responseFromChat(result, this.response));
    this.remember(response.output);
    return Buffer.from(stringifyExact(response));
  }
}

function earlierItems(
  { previousResponseId }: ResponsesEnvelope,
  find: (responseId: string) => readonly ResponseItem[] | undefined,
): readonly ResponseItem[] {
  if (previousResponseId === null) return [];
  const items = find(previousResponseId);
  if (items !== undefined) return items;
  throw new EngineFailure({
    code: 'previous_response_not_found',
    status: 404,
    message: '',
    param: 'previous_response_id',
    retry_after_seconds: null,
  });
}
