/**
 * Tools and choices of a chat request that are written as on other routes, in the form that engines read
 * (docs/reference/translation.md#tools-of-other-routes-on-chat). By bytes, so that the numbers of a schema keep their digits.
 */
import {
  applySplices,
  findElements,
  findMembers,
  NotJsonObjectError,
  type JsonMember,
  type JsonRange,
  type Splice,
} from '../../kernel/json-members.js';

const MARK = Buffer.from('"tools"');
const topLevel: ReadonlySet<string> = new Set(['tools', 'tool_choice']);
const ofTool: ReadonlySet<string> = new Set([
  'type',
  'function',
  'name',
  'description',
  'parameters',
  'input_schema',
  'strict',
]);
const OPEN_BRACE = 0x7b;

/** @returns the same buffer where there are none, as nearly always */
export function withNestedTools(body: Buffer): Buffer {
  if (!body.includes(MARK)) return body;
  try {
    const splices = nested(body);
    return splices.length === 0 ? body : Buffer.concat(applySplices(body, splices));
  } catch (error) {
    // The engine's own error about malformed JSON is more specific.
    if (error instanceof NotJsonObjectError) return body;
    throw error;
  }
}

function nested(body: Buffer): readonly Splice[] {
  const { members } = findMembers(body, topLevel);
  const [tools, choice] = ['tools', 'tool_choice'].map((name) => members.findLast(({ key }) => key === name));
  const places: readonly JsonRange[] = [
    ...(tools === undefined ? [] : findElements(body, tools.start)),
    ...(choice === undefined ? [] : [choice]),
  ];
  return places.flatMap((place) => {
    const text = body[place.start] === OPEN_BRACE ? nestedFunction(body, place.start) : undefined;
    return text === undefined ? [] : [{ start: place.start, end: place.end, text }];
  });
}

/** Undefined for everything but a function whose members stand beside its type. */
function nestedFunction(body: Buffer, from: number): string | undefined {
  const { members } = findMembers(body, ofTool, from);
  const textOf = (name: string): string | undefined =>
    rawText(
      body,
      members.findLast(({ key }) => key === name),
    );
  const [type, name] = [textOf('type'), textOf('name')];
  if (name?.startsWith('"') !== true || (type !== undefined && type !== '"function"')) return undefined;
  if (textOf('function')?.startsWith('{') === true) return undefined;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['name', name],
    ['description', textOf('description')],
    ['parameters', textOf('parameters') ?? textOf('input_schema')],
    ['strict', textOf('strict')],
  ];
  const written = fields.flatMap(([key, text]) => (text === undefined ? [] : [`"${key}":${text}`]));
  return `{"type":"function","function":{${written.join(',')}}}`;
}

/** Clients spell an absent member as null. */
function rawText(body: Buffer, member: JsonMember | undefined): string | undefined {
  const text = member && body.toString('utf8', member.start, member.end);
  return text === 'null' ? undefined : text;
}
