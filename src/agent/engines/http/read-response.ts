/** Converts an engine's HTTP answer to an {@link TextResponse}. */
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import { responseOf } from '../response/response-forms.js';
import type { AnsweredRequest } from '../response/answered-request.js';
import { ChunkReader } from '../response/chunk-reader.js';
import { isUnusual, parseEngineJson } from '../response/engine-json.js';
import { normaliseResponse } from '../response/whole-normaliser.js';
import type { ChunkSource, TextResponse, EngineFailure, EngineObject, RepeatedEvents, TakeChunks } from '../engine.js';
import { headerText, readErrorText } from './engine-http.js';
import { engineError, failureInResponse, failureOfStatus } from '../failures/failures.js';
import type { BodyChunks } from './response-body.js';
import type { EngineHttpResponse } from './response-handler.js';
import { parseEngineError } from '../failures/error-parser.js';

const WHOLE_RESPONSE_LIMIT_BYTES = 16 * 1024 * 1024;
/** Applies to events that are joined: each token comes in an event of some hundred bytes. */
const JOINED_RESPONSE_LIMIT_BYTES = 64 * 1024 * 1024;

/** Parses the bytes of a streamed response into chunks, however they are split. */
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
export interface ResponseGrammar {
  readonly streamReader: (request: AnsweredRequest) => StreamReader;
  /** The response as a `chat.completion` or `text_completion`, not yet normalised. */
  readonly whole: (response: EngineObject) => EngineObject;
}

const openAiGrammar: ResponseGrammar = {
  streamReader: (request) => new ChunkReader(request),
  whole: (response) => response,
};

type Explain = (failure: EngineFailure, engineModel: string) => EngineFailure;

interface ReadingOptions {
  readonly request: AnsweredRequest & { readonly engineModel: string };
  readonly stream: boolean;
  /** A whole response is made of the stream that the engine was asked for. */
  readonly joined?: boolean | undefined;
  /** Called at the end of a stream that was read, with its failure if any. */
  readonly onStreamOver: (failure?: unknown) => void;
  readonly grammar?: ResponseGrammar | undefined;
  /** Corrects the classification of a failure within the stream. */
  readonly explain?: Explain | undefined;
}

/**
 * The form of the response is taken from what it is, not from its content type: engines that do not stream send one document in any case, and
 * some streams are labelled JSON.
 * @throws EngineFailure for an error answer
 */
export async function readResponse(
  response: EngineHttpResponse,
  { request, stream, joined = false, onStreamOver, grammar = openAiGrammar, explain }: ReadingOptions,
): Promise<TextResponse> {
  if (response.statusCode !== 200) {
    throw failureOfStatus({
      status: response.statusCode,
      retryAfter: headerText(response.headers['retry-after']),
      text: await readErrorText(response),
    });
  }
  const encoding = headerText(response.headers['content-encoding']) ?? 'identity';
  if (encoding !== 'identity') {
    response.body.destroy();
    throw engineError(`The engine used content encoding ${encoding.slice(0, 40)}, which the node does not accept.`);
  }
  if (!stream) return { kind: 'whole', object: await readWhole(response, grammar, request, joined) };
  if (!isPage(headerText(response.headers['content-type'])))
    return {
      kind: 'stream',
      chunks: new ResponseChunks(response, grammar.streamReader(request), onStreamOver, request.engineModel, explain),
    };
  // A proxy has sent this page; nothing in it is worth reading.
  response.body.destroy();
  throw engineError('The engine did not respond with an event stream.');
}

const isPage = (contentType: string | undefined): boolean => /^text\/html\b/i.test(contentType ?? '');

async function readWhole(
  { body }: EngineHttpResponse,
  grammar: ResponseGrammar,
  request: AnsweredRequest,
  joined: boolean,
): Promise<EngineObject> {
  const limitBytes = joined ? JOINED_RESPONSE_LIMIT_BYTES : WHOLE_RESPONSE_LIMIT_BYTES;
  const text = await body.text(limitBytes);
  if (text === undefined) throw engineError(`The engine's response is larger than ${limitBytes} bytes.`);
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  const unusual = isUnusual(json);
  const response = unusual ? parseEngineJson(json) : parseJson(json);
  const error = parseEngineError(response);
  if (error !== undefined) throw failureInResponse(error);
  if (isJsonObject(response)) return normaliseResponse(grammar.whole(response), request, unusual);
  return wholeOfStream(text, grammar.streamReader(request), request, joined);
}

const BYTE_ORDER_MARK = 0xfeff;

/** Some engines stream whatever they are asked for. @throws EngineFailure unless the text is a complete stream */
function wholeOfStream(text: string, reader: StreamReader, { route }: AnsweredRequest, joined: boolean): EngineObject {
  const chunks = [...reader.feed(Buffer.from(text)), ...reader.end()];
  const response = responseOf(chunks, route);
  if (reader.failure !== undefined && (joined || response !== undefined)) throw reader.failure;
  if (response === undefined) throw engineError('The engine responded with something that is not JSON.');
  return response;
}

/** Chunks in batches as they arrive. An early failure closes the connection, which cancels the request at the engine. */
class ResponseChunks implements ChunkSource, BodyChunks {
  private consumer: TakeChunks = discard;
  private repeated: RepeatedEvents | undefined;

  constructor(
    private readonly response: EngineHttpResponse,
    private readonly reader: StreamReader,
    private readonly onOver: (failure?: unknown) => void,
    private readonly engineModel: string,
    private readonly explain: Explain = (failure) => failure,
  ) {}

  async pipe(take: TakeChunks, repeated?: RepeatedEvents): Promise<void> {
    const { reader } = this;
    const { body } = this.response;
    this.consumer = take;
    this.repeated = repeated;
    try {
      await body.pipe(this);
      // Without `[DONE]` the end of the body is the end of the response, and may complete a last event.
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

  take(chunk: Buffer): Promise<void> | undefined {
    const { repeated } = this;
    if (repeated !== undefined) {
      const event = this.reader.repeated?.(chunk, repeated);
      if (event !== undefined) return repeated.take(event);
    }
    return this.give(this.reader.feed(chunk));
  }

  private give(batch: readonly EngineObject[]): Promise<void> | undefined {
    return batch.length > 0 || this.reader.alive === true ? this.consumer(batch) : undefined;
  }
}

const discard: TakeChunks = () => undefined;
