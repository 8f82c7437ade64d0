/** Rewrites the client's body for the engine: replaces three top-level values and keeps every other byte. */
import { applySplices, findMembers, type Splice } from '../../../kernel/json-members.js';

interface RequestBodyChange {
  readonly model: string;
  /** True also requests usage in the stream, for accounting. It is removed from the answer unless the client requested it. */
  readonly stream: boolean;
  /** Fields that are copied to another name for the engine (`{ max_completion_tokens: 'max_tokens' }`). */
  readonly aliases?: FieldAliases;
}

/** From the client's name of a top-level field to the engine's. */
export type FieldAliases = Readonly<Record<string, string>>;

const rewritten = ['model', 'stream', 'stream_options'] as const;
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
  const { inside, empty, members } = findMembers(json, wantedMembers(aliases));
  const splices: Splice[] = [];
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
    for (const { start, end } of options) splices.push(...askForUsage(json, start, end));
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

const wantedMembers = (aliases: FieldAliases | undefined): ReadonlySet<string> =>
  aliases === undefined ? topLevel : new Set([...rewritten, ...Object.keys(aliases), ...Object.values(aliases)]);

/** Other options (such as vLLM's `continuous_usage_stats`) stay; anything but an object is replaced by one. */
function askForUsage(json: Buffer, start: number, end: number): readonly Splice[] {
  if (json[start] !== 0x7b) return [{ start, end, text: '{"include_usage":true}' }];
  const { inside, empty, members } = findMembers(json, streamOptions, start);
  if (members.length > 0) return members.map((member) => ({ start: member.start, end: member.end, text: 'true' }));
  return [{ start: inside, end: inside, text: `"include_usage":true${empty ? '' : ','}` }];
}
