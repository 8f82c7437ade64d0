/** Rewrites the client's body for the engine: replaces or removes a few top-level values and keeps every other byte. */
import { applySplices, findMembers, removalsOf, type JsonMember, type Splice } from '../../../kernel/json-members.js';

interface RequestBodyChange {
  readonly model: string;
  /** True also requests usage in the stream, for accounting. It is removed from the response unless the client requested it. */
  readonly stream: boolean;
  /** Fields that are copied to another name for the engine (`{ max_completion_tokens: 'max_tokens' }`). */
  readonly aliases?: FieldAliases;
}

/** Maps the client's name of a top-level field to the engine's. */
export type FieldAliases = Readonly<Record<string, string>>;

const rewritten = [
  ...['model', 'stream', 'stream_options', 'tools', 'tool_choice', 'parallel_tool_calls', 'functions'],
  'function_call',
] as const;
/** Lists with what is asked of their elements: strict engines refuse an empty list, and to choose or combine nothing. */
const choices = [
  ['tools', 'tool_choice', 'parallel_tool_calls'],
  ['functions', 'function_call'],
] as const;
const choiceKeys: ReadonlySet<string> = new Set<string>(choices.flat());
const topLevel: ReadonlySet<string> = new Set(rewritten);
const streamOptions: ReadonlySet<string> = new Set(['include_usage']);
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Replaces every occurrence of a repeated key, so that engines which take the first one and engines which take the last one agree.
 * @returns the new body in pieces, most of them views into `body`: 16 MiB are not copied while other streams wait
 * @throws NotJsonObjectError when `body` is not one JSON object
 */
export function rewriteRequestBody(body: Buffer, { model, stream, aliases }: RequestBodyChange): readonly Buffer[] {
  const json = body.subarray(0, 3).equals(BYTE_ORDER_MARK) ? body.subarray(3) : body;
  const bounds = findMembers(json, requestedMembers(aliases));
  const { inside, members } = bounds;
  const gone = refusedMembers(json, members, stream);
  const empty = bounds.count === gone.length;
  const splices: Splice[] = removalsOf(json, bounds, gone);
  const missing: string[] = [];

  const replaceAll = (key: string, text: string): boolean => {
    const found = members.filter((member) => member.key === key);
    for (const { start, end } of found) splices.push({ start, end, text });
    return found.length > 0;
  };

  const modelText = JSON.stringify(model);
  if (!replaceAll('model', modelText)) missing.push(`"model":${modelText}`);
  const streamNamed = replaceAll('stream', String(stream));
  if (stream) {
    if (!streamNamed) missing.push('"stream":true');
    const options = members.filter((member) => member.key === 'stream_options');
    for (const { start, end } of options) splices.push(...requestUsage(json, start, end));
    if (options.length === 0) missing.push('"stream_options":{"include_usage":true}');
  }
  for (const [from, to] of Object.entries(aliases ?? {})) {
    const value = members.findLast(({ key }) => key === from);
    if (value === undefined) continue;
    const text = json.toString('utf8', value.start, value.end);
    // Clients spell an absent field as null.
    if (text !== 'null' && !replaceAll(to, text)) missing.push(`${JSON.stringify(to)}:${text}`);
  }
  if (missing.length > 0) {
    splices.push({ start: inside, end: inside, text: missing.join(',') + (empty ? '' : ',') });
  }
  return applySplices(json, splices);
}

const NONE: readonly JsonMember[] = [];

/** Members that mean nothing, and that strict engines refuse; in their order. */
function refusedMembers(json: Buffer, members: readonly JsonMember[], stream: boolean): readonly JsonMember[] {
  const suspects = members.some(({ key }) => (key === 'stream_options' ? !stream : choiceKeys.has(key)));
  if (!suspects) return NONE;
  const idle = choices.filter(([list]) => isEmptyList(json, members, list)).flat();
  return members.filter(({ key }) => (key === 'stream_options' ? !stream : idle.some((name) => name === key)));
}

/** In bytes, blanks included: a longer one is left to the engine. */
const LONGEST_EMPTY = 64;

/** No list, null, or one without elements. */
function isEmptyList(json: Buffer, members: readonly JsonMember[], name: string): boolean {
  const last = members.findLast(({ key }) => key === name);
  if (last === undefined) return true;
  return (
    last.end - last.start <= LONGEST_EMPTY && /^(?:null|\[\s*\])$/.test(json.toString('utf8', last.start, last.end))
  );
}

const requestedMembers = (aliases: FieldAliases | undefined): ReadonlySet<string> =>
  aliases === undefined ? topLevel : new Set([...rewritten, ...Object.keys(aliases), ...Object.values(aliases)]);

/** Other options (such as vLLM's `continuous_usage_stats`) stay; anything but an object is replaced by one. */
function requestUsage(json: Buffer, start: number, end: number): readonly Splice[] {
  if (json[start] !== 0x7b) return [{ start, end, text: '{"include_usage":true}' }];
  const { inside, empty, members } = findMembers(json, streamOptions, start);
  if (members.length > 0) return members.map((member) => ({ start: member.start, end: member.end, text: 'true' }));
  return [{ start: inside, end: inside, text: `"include_usage":true${empty ? '' : ','}` }];
}
