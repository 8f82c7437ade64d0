/**
 * One embeddings request as several, and their responses as one. Works on the bytes: the texts reach the engines as the client wrote them, and
 * the vectors reach the client as the engines wrote them.
 */
import {
  applySplices,
  findElements,
  findMembers,
  type JsonMember,
  type JsonRange,
  type Splice,
} from '../../kernel/json-members.js';
import type { DividedRequest, JoinedUsage } from '../divided-request.js';

/** A part is worth a request of its own, and its response is far below what a node accepts of an engine. */
const MIN_INPUTS_PER_PART = 16;
const MAX_INPUTS_PER_PART = 128;
/** A node computes one part while the next one travels. */
const PARTS_PER_NODE = 2;

const inputKey: ReadonlySet<string> = new Set(['input']);
const responseKeys: ReadonlySet<string> = new Set(['data', 'usage']);
const indexKey: ReadonlySet<string> = new Set(['index']);
const COMMA = Buffer.from(',');

/** How many inputs a part has. @param nodes that could compute parts at the same time */
export const inputsPerPart = (inputs: number, nodes: number): number =>
  Math.min(MAX_INPUTS_PER_PART, Math.max(MIN_INPUTS_PER_PART, Math.ceil(inputs / (nodes * PARTS_PER_NODE))));

/**
 * @param inputs in the list
 * @returns undefined where one node gets the whole request
 */
export function divideEmbeddings(body: Buffer, inputs: number, nodes: number): DividedRequest | undefined {
  const size = nodes > 1 ? inputsPerPart(inputs, nodes) : MAX_INPUTS_PER_PART;
  if (inputs <= size) return undefined;
  const input = findMembers(body, inputKey).members.at(-1);
  const elements = input === undefined ? [] : findElements(body, input.start);
  if (input === undefined || elements.length !== inputs) return undefined;
  const parts: (JsonRange & { readonly inputs: number })[] = [];
  for (let at = 0; at < inputs; at += size) {
    const [first, last] = [elements[at], elements[Math.min(at + size, inputs) - 1]];
    if (first === undefined || last === undefined) return undefined;
    parts.push({ start: first.start, end: last.end, inputs: Math.min(size, inputs - at) });
  }
  const [before, behind] = [body.subarray(0, input.start), body.subarray(input.end)];
  return {
    parts: parts.map(
      ({ start, end }) =>
        (): Buffer =>
          Buffer.concat([before, Buffer.from('['), body.subarray(start, end), Buffer.from(']'), behind]),
    ),
    join: (responses, usage) =>
      joinEmbeddings(
        responses,
        parts.map((part) => part.inputs),
        usage,
      ),
  };
}

/**
 * The first response with the vectors of all of them, numbered through, and the usage of all.
 * @param counts vectors that each response must have
 * @throws NotJsonObjectError, RangeError when a response is not what the request asked for
 */
export function joinEmbeddings(
  responses: readonly Buffer[],
  counts: readonly number[],
  usage: JoinedUsage,
): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let index = 0;
  let behind: Buffer = Buffer.alloc(0);
  responses.forEach((response, part) => {
    const { members } = findMembers(response, responseKeys);
    const data = members.findLast(({ key }) => key === 'data');
    const vectors = data === undefined ? [] : findElements(response, data.start);
    if (data === undefined || vectors.length !== counts[part])
      throw new RangeError('a part has another number of vectors');
    if (part === 0) {
      const [head, tail] = around(response, data, members, usage);
      pieces.push(head, Buffer.from('['));
      behind = Buffer.concat([Buffer.from(']'), tail]);
    }
    for (const { start, end } of vectors) {
      if (index > 0) pieces.push(COMMA);
      pieces.push(...numbered(response.subarray(start, end), index));
      index += 1;
    }
  });
  return [...pieces, behind];
}

/** What is before and behind the list of vectors, with the usage of all parts. */
function around(
  response: Buffer,
  data: JsonMember,
  members: readonly JsonMember[],
  usage: JoinedUsage,
): readonly [Buffer, Buffer] {
  const text = JSON.stringify(usage);
  const replaced = members.filter(({ key }) => key === 'usage').map(({ start, end }): Splice => ({ start, end, text }));
  const before = replaced.filter(({ end }) => end <= data.start);
  const after = replaced
    .filter(({ start }) => start >= data.end)
    .map(({ start, end }): Splice => ({ start: start - data.end, end: end - data.end, text }));
  return [
    Buffer.concat(applySplices(response.subarray(0, data.start), before)),
    Buffer.concat(applySplices(response.subarray(data.end), after)),
  ];
}

function numbered(vector: Buffer, index: number): readonly Buffer[] {
  const { members, inside, empty } = findMembers(vector, indexKey);
  const text = String(index);
  if (members.length > 0)
    return applySplices(
      vector,
      members.map(({ start, end }) => ({ start, end, text })),
    );
  return applySplices(vector, [{ start: inside, end: inside, text: `"index":${text}${empty ? '' : ','}` }]);
}
