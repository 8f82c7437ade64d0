/** Embeddings as the engine wrote them: the digits of its numbers, or the bytes of its base64. */
import { base64Of, readFormat } from '../../../dialects/embeddings/inputs.js';
import {
  applySplices,
  findElements,
  findMembers,
  type JsonMember,
  type JsonRange,
  type Splice,
} from '../../../kernel/json-members.js';
import { parseJson } from '../../../kernel/json-object.js';
import type { OpenMessage } from '../../../link/messages.js';
import { engineError } from '../../engines/failures/failures.js';
import { asNodeFailure } from '../translation-failure.js';
import { DocumentExchange } from './document-exchange.js';

const requestKeys: ReadonlySet<string> = new Set(['input', 'encoding_format']);
const dataKey: ReadonlySet<string> = new Set(['data']);
const vectorKeys: ReadonlySet<string> = new Set(['index', 'embedding']);
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;

interface Wanted {
  readonly vectors: number;
  readonly asBase64: boolean;
}

interface Vector extends JsonRange {
  readonly embedding: JsonMember;
  readonly index: number;
}

export class EmbeddingsExchange extends DocumentExchange {
  private readonly wanted: Wanted;

  constructor(body: Buffer, head: OpenMessage) {
    super(body, head);
    this.wanted = asNodeFailure(() => wantedBy(body));
  }

  protected checked(bytes: Buffer): Buffer {
    const data = findMembers(bytes, dataKey).members.at(-1);
    const elements = data === undefined ? [] : findElements(bytes, data.start);
    if (data === undefined || elements.length !== this.wanted.vectors) {
      throw engineError(`The engine responded with ${elements.length} vectors for ${this.wanted.vectors} inputs.`);
    }
    const vectors = elements.map((element, position) => readVector(bytes, element, position));
    const ordered = inOrder(bytes, data, vectors);
    if (ordered !== undefined) return this.checked(ordered);
    if (!this.wanted.asBase64) return bytes;
    return Buffer.concat(
      applySplices(
        bytes,
        vectors.flatMap(({ embedding }) => asBase64(bytes, embedding)),
      ),
    );
  }
}

function wantedBy(body: Buffer): Wanted {
  const { members } = findMembers(body, requestKeys);
  const valueOf = (name: string): JsonMember | undefined => members.findLast(({ key }) => key === name);
  const format = valueOf('encoding_format');
  const asBase64 =
    format !== undefined &&
    readFormat({ encoding_format: parseJson(body.toString('utf8', format.start, format.end)) }) === 'base64';
  return { vectors: vectorsOf(body, valueOf('input')), asBase64 };
}

/** A list of numbers is one text. */
function vectorsOf(body: Buffer, input: JsonMember | undefined): number {
  if (input === undefined || body[input.start] !== OPEN_BRACKET) return 1;
  const elements = findElements(body, input.start);
  const first = body[elements[0]?.start ?? input.start];
  return first === QUOTE || (elements.length > 0 && first === OPEN_BRACKET) ? elements.length : 1;
}

function readVector(bytes: Buffer, { start, end }: JsonRange, position: number): Vector {
  const { members } = findMembers(bytes, vectorKeys, start);
  const embedding = members.findLast(({ key }) => key === 'embedding');
  const first = embedding && bytes[embedding.start];
  if (embedding === undefined || (first !== QUOTE && first !== OPEN_BRACKET)) {
    throw engineError('The engine responded with an element without a vector.');
  }
  const index = members.findLast(({ key }) => key === 'index');
  const number = index === undefined ? position : Number(bytes.toString('latin1', index.start, index.end));
  return { start, end, embedding, index: number };
}

/** Undefined where the vectors are in the order of the inputs, as nearly always. */
function inOrder(bytes: Buffer, data: JsonMember, vectors: readonly Vector[]): Buffer | undefined {
  if (vectors.every(({ index }, position) => index === position)) return undefined;
  const byIndex = new Map(vectors.map((vector) => [vector.index, vector] as const));
  const texts = vectors.map((_, position) => {
    const vector = byIndex.get(position);
    if (vector === undefined) throw engineError(`The engine responded without a vector for input ${position}.`);
    return bytes.toString('utf8', vector.start, vector.end);
  });
  return Buffer.concat(applySplices(bytes, [{ start: data.start, end: data.end, text: `[${texts.join(',')}]` }]));
}

/** For an engine that does not know `encoding_format`. */
function asBase64(bytes: Buffer, { start, end }: JsonMember): readonly Splice[] {
  if (bytes[start] === QUOTE) return [];
  const numbers = parseJson(bytes.toString('latin1', start, end));
  if (!Array.isArray(numbers) || !numbers.every((one) => typeof one === 'number')) {
    throw engineError('The engine responded with a vector that is no list of numbers.');
  }
  return [{ start, end, text: JSON.stringify(base64Of(numbers)) }];
}
