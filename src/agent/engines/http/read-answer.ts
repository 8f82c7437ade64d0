/** Converts an engine's HTTP answer to an {@link EngineAnswer}. */
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import type { ChunkSource, EngineAnswer, EngineFailure, EngineObject, RepeatedEvents, TakeChunks } from '../engine.js';
import { completeAnswer } from './chat-chunks.js';
import { ChunkReader } from './chunk-reader.js';
import { headerText, readErrorText } from './engine-http.js';
import { engineError, failureInAnswer, failureOfStatus } from './failures.js';
import type { PieceReader } from './reply-body.js';
import type { EngineReply } from './reply-handler.js';
import { parseEngineError } from './error-parser.js';

const WHOLE_ANSWER_LIMIT_BYTES = 16 * 1024 * 1024;

/** Parses the bytes of a streamed answer into chunks, however they are split. */
export interface StreamReader {
  /** The stream has ended; later bytes are ignored. */
  readonly done: boolean;
  /** Set once the stream has failed. */
  readonly failure: EngineFailure | undefined;
  feed(bytes: Uint8Array): readonly EngineObject[];
  /** The event to send for the bytes of a repeated chunk; undefined when they are to be fed. */
  repeated?(bytes: Buffer, events: RepeatedEvents): Buffer | undefined;
  /** The engine closed the stream. */
  end(): readonly EngineObject[];
}

/** The format of an engine's answers. */
export interface AnswerGrammar {
  readonly streamReader: () => StreamReader;
  /** The answer as a `chat.completion` or `text_completion`. */
  readonly whole: (answer: EngineObject) => EngineObject;
}

const openAiGrammar: AnswerGrammar = { streamReader: () => new ChunkReader(), whole: (answer) => answer };

/**
 * @param onStreamOver called at the end of a stream that was read, with its failure if any
 * @throws EngineFailure for an error answer
 */
export async function readAnswer(
  reply: EngineReply,
  stream: boolean,
  onStreamOver: (failure?: unknown) => void,
  grammar: AnswerGrammar = openAiGrammar,
): Promise<EngineAnswer> {
  if (reply.statusCode !== 200) {
    throw failureOfStatus({
      status: reply.statusCode,
      retryAfter: headerText(reply.headers['retry-after']),
      text: await readErrorText(reply),
    });
  }
  const encoding = headerText(reply.headers['content-encoding']) ?? 'identity';
  if (encoding !== 'identity') {
    reply.body.destroy();
    throw engineError(`The engine used content encoding ${encoding.slice(0, 40)}, which the node does not accept.`);
  }
  if (!stream) return { kind: 'whole', object: await readWhole(reply, grammar) };
  if (isEventStream(headerText(reply.headers['content-type'])))
    return { kind: 'stream', chunks: new AnswerChunks(reply, grammar.streamReader(), onStreamOver) };
  // LM Studio answers 200 with an error object to unknown routes; a proxy may answer with a web page.
  const error = parseEngineError(parseJson(await readErrorText(reply)));
  throw error === undefined ? engineError('The engine did not respond with an event stream.') : failureInAnswer(error);
}

/** A missing or unspecific type is accepted; a document is not a stream. */
const isEventStream = (contentType: string | undefined): boolean =>
  !/^(application\/json|text\/html)\b/i.test(contentType ?? '');

async function readWhole({ body }: EngineReply, grammar: AnswerGrammar): Promise<EngineObject> {
  const text = await body.text(WHOLE_ANSWER_LIMIT_BYTES);
  if (text === undefined) throw engineError(`The engine's response is larger than ${WHOLE_ANSWER_LIMIT_BYTES} bytes.`);
  const answer = parseJson(text);
  const error = parseEngineError(answer);
  if (error !== undefined) throw failureInAnswer(error);
  if (!isJsonObject(answer)) throw engineError('The engine responded with something that is not JSON.');
  return completeAnswer(grammar.whole(answer));
}

/** Chunks in batches as they arrive. An early failure closes the connection, which cancels the request at the engine. */
class AnswerChunks implements ChunkSource, PieceReader {
  private taker: TakeChunks = discard;
  private repeated: RepeatedEvents | undefined;

  constructor(
    private readonly reply: EngineReply,
    private readonly reader: StreamReader,
    private readonly onOver: (failure?: unknown) => void,
  ) {}

  async pipe(take: TakeChunks, repeated?: RepeatedEvents): Promise<void> {
    const { reader } = this;
    const { body } = this.reply;
    this.taker = take;
    this.repeated = repeated;
    try {
      await body.pipe(this);
      // Without `[DONE]` the end of the body is the end of the answer, and may complete a last event.
      if (reader.failure === undefined) await this.give(reader.end());
      if (reader.failure !== undefined) throw reader.failure;
      body.dropRest();
      this.onOver();
    } catch (error) {
      body.destroy();
      this.onOver(error);
      throw error;
    }
  }

  get satisfied(): boolean {
    return this.reader.done || this.reader.failure !== undefined;
  }

  take(piece: Buffer): Promise<void> | undefined {
    const { repeated } = this;
    if (repeated !== undefined) {
      const event = this.reader.repeated?.(piece, repeated);
      if (event !== undefined) return repeated.take(event);
    }
    return this.give(this.reader.feed(piece));
  }

  private give(batch: readonly EngineObject[]): Promise<void> | undefined {
    return batch.length > 0 ? this.taker(batch) : undefined;
  }
}

const discard: TakeChunks = () => undefined;
