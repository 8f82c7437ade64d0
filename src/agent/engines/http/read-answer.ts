/** From an engine's HTTP answer to what the rest of the node understands. */
import type { EngineAnswer, EngineObject } from '../engine.js';
import { BodyPieces } from './body-pieces.js';
import { completeAnswer } from './chat-chunks.js';
import { ChunkReader } from './chunk-reader.js';
import { headerText, lostConnection, readErrorText, readText, type EngineReply } from './engine-http.js';
import { engineError, failureInAnswer, failureOfStatus, parseJson } from './failures.js';
import { isObject, spelledError } from './spelled-error.js';

const WHOLE_ANSWER_LIMIT_BYTES = 16 * 1024 * 1024;
/** What may follow `[DONE]` without costing the connection. */
const TAIL_LIMIT_BYTES = 16 * 1024;
const TAIL_TIMEOUT_MS = 1_000;

/**
 * @param onStreamOver called when a stream that was begun to be read is over, however it ended
 * @throws EngineFailure for every answer that is none
 */
export async function readAnswer(
  reply: EngineReply,
  stream: boolean,
  signal: AbortSignal,
  onStreamOver: () => void,
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
    throw engineError(`The engine answered with content encoding ${encoding.slice(0, 40)}, which it was not offered.`);
  }
  if (!stream) return { kind: 'whole', object: await readWhole(reply, signal) };
  if (isEventStream(headerText(reply.headers['content-type'])))
    return { kind: 'stream', chunks: readChunks(reply, signal, onStreamOver) };
  // LM Studio answers 200 with an error object to what it does not know; a proxy's web page is no answer either.
  const error = spelledError(parseJson(await readErrorText(reply)));
  throw error === undefined ? engineError('The engine did not answer with an event stream.') : failureInAnswer(error);
}

/** Servers that send no or a vague type are believed; a document is not a stream. */
const isEventStream = (contentType: string | undefined): boolean =>
  !/^(application\/json|text\/html)\b/i.test(contentType ?? '');

async function readWhole({ body }: EngineReply, signal: AbortSignal): Promise<EngineObject> {
  let text: string | undefined;
  try {
    text = await readText(body, WHOLE_ANSWER_LIMIT_BYTES);
  } catch (error) {
    throw lostConnection(error, signal);
  }
  if (text === undefined) throw engineError(`The engine's answer is larger than ${WHOLE_ANSWER_LIMIT_BYTES} bytes.`);
  const answer = parseJson(text);
  const error = spelledError(answer);
  if (error !== undefined) throw failureInAnswer(error);
  if (!isObject(answer)) throw engineError('The engine answered with something that is not JSON.');
  return completeAnswer(answer);
}

/** Chunks in batches as they arrive. Leaving early closes the engine's socket, which is how engines learn of a cancel. */
async function* readChunks(
  { body }: EngineReply,
  signal: AbortSignal,
  onOver: () => void,
): AsyncGenerator<readonly EngineObject[]> {
  const reader = new ChunkReader();
  const pieces = new BodyPieces(body);
  let complete = false;
  try {
    while (!reader.done && reader.failure === undefined) {
      const piece = await nextPiece(pieces, signal);
      const batch = piece === undefined ? reader.end() : reader.feed(piece);
      if (batch.length > 0) yield batch;
    }
    if (reader.failure === undefined) reader.end();
    if (reader.failure !== undefined) throw reader.failure;
    complete = true;
  } finally {
    onOver();
    pieces.detach();
    if (complete) {
      // Not awaited: the answer is complete, only the connection is worth keeping.
      void body.dump({ limit: TAIL_LIMIT_BYTES, signal: AbortSignal.timeout(TAIL_TIMEOUT_MS) }).catch(() => undefined);
    } else {
      body.destroy();
    }
  }
}

async function nextPiece(pieces: BodyPieces, signal: AbortSignal): Promise<Buffer | undefined> {
  try {
    return await pieces.next();
  } catch (error) {
    throw lostConnection(error, signal);
  }
}
