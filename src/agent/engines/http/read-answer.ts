/** Converts an engine's HTTP answer to an {@link EngineAnswer}. */
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import { answerOf } from '../answer/answer-forms.js';
import type { AnsweredRequest } from '../answer/answered-request.js';
import { ChunkReader } from '../answer/chunk-reader.js';
import { isUnusual, parseEngineJson } from '../answer/engine-json.js';
import { normaliseAnswer } from '../answer/whole-normaliser.js';
import type { ChunkSource, EngineAnswer, EngineFailure, EngineObject, RepeatedEvents, TakeChunks } from '../engine.js';
import { headerText, readErrorText } from './engine-http.js';
import { engineError, failureInAnswer, failureOfStatus } from '../failures/failures.js';
import type { PieceReader } from './reply-body.js';
import type { EngineReply } from './reply-handler.js';
import { parseEngineError } from '../failures/error-parser.js';

const WHOLE_ANSWER_LIMIT_BYTES = 16 * 1024 * 1024;
/** Of events that are joined: each token comes in one of some hundred bytes. */
const JOINED_ANSWER_LIMIT_BYTES = 64 * 1024 * 1024;

/** Parses the bytes of a streamed answer into chunks, however they are split. */
export interface StreamReader {
  /** The stream has ended; later bytes are ignored. */
  readonly done: boolean;
  /** Set once the stream has failed. */
  readonly failure: EngineFailure | undefined;
  feed(bytes: Uint8Array): readonly EngineObject[];
  /** Whether a heartbeat was among the bytes fed last. */
  readonly alive?: boolean;
  /** The event to send for the bytes of a repeated chunk; undefined when they are to be fed. */
  repeated?(bytes: Buffer, events: RepeatedEvents): Buffer | undefined;
  /** The engine closed the stream. */
  end(): readonly EngineObject[];
}

/** The format of an engine's answers. */
export interface AnswerGrammar {
  readonly streamReader: (request: AnsweredRequest) => StreamReader;
  /** The answer as a `chat.completion` or `text_completion`, not yet normalised. */
  readonly whole: (answer: EngineObject) => EngineObject;
}

const openAiGrammar: AnswerGrammar = { streamReader: (request) => new ChunkReader(request), whole: (answer) => answer };

type Explain = (failure: EngineFailure, engineModel: string) => EngineFailure;

interface ReadingOptions {
  readonly request: AnsweredRequest & { readonly engineModel: string };
  readonly stream: boolean;
  /** A whole answer is made of the stream that the engine was asked for. */
  readonly joined?: boolean | undefined;
  /** Called at the end of a stream that was read, with its failure if any. */
  readonly onStreamOver: (failure?: unknown) => void;
  readonly grammar?: AnswerGrammar | undefined;
  /** Corrects the classification of a failure within the stream. */
  readonly explain?: Explain | undefined;
}

/**
 * The form of the answer is taken from what it is, not from its content type: engines that do not stream send one document in any case, and
 * some streams are labelled JSON.
 * @throws EngineFailure for an error answer
 */
export async function readAnswer(
  reply: EngineReply,
  { request, stream, joined = false, onStreamOver, grammar = openAiGrammar, explain }: ReadingOptions,
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
  if (!stream) return { kind: 'whole', object: await readWhole(reply, grammar, request, joined) };
  if (!isPage(headerText(reply.headers['content-type'])))
    return {
      kind: 'stream',
      chunks: new AnswerChunks(reply, grammar.streamReader(request), onStreamOver, request.engineModel, explain),
    };
  // A proxy has sent this page; nothing in it is worth reading.
  reply.body.destroy();
  throw engineError('The engine did not respond with an event stream.');
}

const isPage = (contentType: string | undefined): boolean => /^text\/html\b/i.test(contentType ?? '');

async function readWhole(
  { body }: EngineReply,
  grammar: AnswerGrammar,
  request: AnsweredRequest,
  joined: boolean,
): Promise<EngineObject> {
  const limitBytes = joined ? JOINED_ANSWER_LIMIT_BYTES : WHOLE_ANSWER_LIMIT_BYTES;
  const text = await body.text(limitBytes);
  if (text === undefined) throw engineError(`The engine's response is larger than ${limitBytes} bytes.`);
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  const unusual = isUnusual(json);
  const answer = unusual ? parseEngineJson(json) : parseJson(json);
  const error = parseEngineError(answer);
  if (error !== undefined) throw failureInAnswer(error);
  if (isJsonObject(answer)) return normaliseAnswer(grammar.whole(answer), request, unusual);
  return wholeOfStream(text, grammar.streamReader(request), request, joined);
}

const BYTE_ORDER_MARK = 0xfeff;

/** Some engines stream whatever they are asked for. @throws EngineFailure unless the text is a complete stream */
function wholeOfStream(text: string, reader: StreamReader, { route }: AnsweredRequest, joined: boolean): EngineObject {
  const chunks = [...reader.feed(Buffer.from(text)), ...reader.end()];
  const answer = answerOf(chunks, route);
  if (reader.failure !== undefined && (joined || answer !== undefined)) throw reader.failure;
  if (answer === undefined) throw engineError('The engine responded with something that is not JSON.');
  return answer;
}

/** Chunks in batches as they arrive. An early failure closes the connection, which cancels the request at the engine. */
class AnswerChunks implements ChunkSource, PieceReader {
  private taker: TakeChunks = discard;
  private repeated: RepeatedEvents | undefined;

  constructor(
    private readonly reply: EngineReply,
    private readonly reader: StreamReader,
    private readonly onOver: (failure?: unknown) => void,
    private readonly engineModel: string,
    private readonly explain: Explain = (failure) => failure,
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
      if (reader.failure !== undefined) throw this.explain(reader.failure, this.engineModel);
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
    return batch.length > 0 || this.reader.alive === true ? this.taker(batch) : undefined;
  }
}

const discard: TakeChunks = () => undefined;
