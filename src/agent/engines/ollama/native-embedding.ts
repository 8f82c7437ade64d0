/**
 * Embeddings through `/api/embed`: the OpenAI-compatible route cannot set the context length, for which Ollama would reload the model, and
 * silently truncates long texts.
 */
import { findElements, findMembers, NotJsonObjectError, type JsonMember } from '../../../kernel/json-members.js';
import { EngineFailure } from '../engine.js';
import { engineError } from '../failures/failures.js';
import type { NativeDocument } from '../http/engine-adapter.js';

const requestKeys: ReadonlySet<string> = new Set(['input', 'dimensions']);
const responseKeys: ReadonlySet<string> = new Set(['embeddings', 'prompt_eval_count']);
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;

interface EmbeddingTarget {
  readonly engineModel: string;
  /** The loaded context. null: not known. */
  readonly contextTokens: number | null;
  /** Of a load through Ferry. Undefined: the model is loaded by others, who decide how long it stays. */
  readonly keepAlive: string | number | undefined;
}

/** @throws EngineFailure for tokens, which Ollama does not take */
export function nativeEmbedding(body: Buffer, target: EmbeddingTarget): NativeDocument {
  const { members } = findMembers(body, requestKeys);
  const input = lastOf(members, 'input');
  if (input === undefined || !isText(body, input)) throw takesTexts();
  const dimensions = lastOf(members, 'dimensions');
  const fields = {
    model: target.engineModel,
    truncate: false,
    ...(target.contextTokens !== null && { options: { num_ctx: target.contextTokens } }),
    ...(target.keepAlive !== undefined && { keep_alive: target.keepAlive }),
  };
  const begin = JSON.stringify(fields).slice(0, -1);
  const shortened = dimensions === undefined ? '' : `,"dimensions":${textOf(body, dimensions)}`;
  return {
    path: '/api/embed',
    body: [Buffer.from(`${begin}${shortened},"input":`), body.subarray(input.start, input.end), Buffer.from('}')],
    read: asOpenAi,
  };
}

/** The vectors as they are, in the envelope of `/v1/embeddings`. */
function asOpenAi(bytes: Buffer): Buffer {
  const { members } = findMembers(bytes, responseKeys);
  const vectors = lastOf(members, 'embeddings');
  if (vectors === undefined) throw engineError('Ollama responded without embeddings.');
  const pieces: Buffer[] = [Buffer.from('{"object":"list","data":[')];
  findElements(bytes, vectors.start).forEach(({ start, end }, index) => {
    pieces.push(Buffer.from(`${index === 0 ? '' : ','}{"object":"embedding","index":${index},"embedding":`));
    pieces.push(bytes.subarray(start, end), Buffer.from('}'));
  });
  const counted = lastOf(members, 'prompt_eval_count');
  const tokens = counted === undefined ? undefined : textOf(bytes, counted);
  const usage = tokens === undefined ? '' : `,"usage":{"prompt_tokens":${tokens},"total_tokens":${tokens}}`;
  return Buffer.concat([...pieces, Buffer.from(`]${usage}}`)]);
}

const lastOf = (members: readonly JsonMember[], name: string): JsonMember | undefined =>
  members.findLast(({ key }) => key === name);

const textOf = (bytes: Buffer, { start, end }: JsonMember): string => bytes.toString('utf8', start, end);

function isText(body: Buffer, { start }: JsonMember): boolean {
  if (body[start] !== OPEN_BRACKET) return body[start] === QUOTE;
  try {
    const [first] = findElements(body, start);
    return first !== undefined && body[first.start] === QUOTE;
  } catch (error) {
    if (error instanceof NotJsonObjectError) return false;
    throw error;
  }
}

/** Another node may have an engine that takes tokens. */
const takesTexts = (): EngineFailure =>
  new EngineFailure({
    code: 'unsupported_capability',
    status: 400,
    message: 'Ollama embeds texts, not tokens.',
    param: 'input',
    retry_after_seconds: null,
  });
