/** Reads `engines.json`, the engines of this node. It is written by people, so every mistake is reported with its place. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { EngineEntry, RegisteredKind } from './engine-entry.js';
import { EnginesFileError } from './engines-file-error.js';

const MAX_ENTRIES = 64;

export interface EnginesFile {
  readonly engines: readonly EngineEntry[];
  /** Whether discovery runs as well; undefined: not specified. */
  readonly discover: boolean | undefined;
}

/** Undefined when there is no such file. @throws EnginesFileError */
export async function readEnginesFile(
  file: string,
  kinds: readonly RegisteredKind[],
): Promise<EnginesFile | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new EnginesFileError(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new EnginesFileError(`${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const parsed = fileSchema(kinds).safeParse(value);
  if (parsed.success) return { engines: parsed.data.engines, discover: parsed.data.discover };
  throw mistakes(file, parsed.error.issues);
}

/** A generated entry: the built-in engine, or a discovered one. @throws EnginesFileError naming `source` */
export function readEntry(value: unknown, kinds: readonly RegisteredKind[], source: string): EngineEntry {
  const parsed = entrySchema(kinds).safeParse(value);
  if (parsed.success) return parsed.data;
  throw mistakes(source, parsed.error.issues);
}

const fileSchema = (kinds: readonly RegisteredKind[]) =>
  z.strictObject({
    engines: z.array(entrySchema(kinds)).max(MAX_ENTRIES).default([]),
    discover: z.boolean().optional(),
  });

/** Each entry is validated by the schema of its kind, so that messages are specific. */
function entrySchema(kinds: readonly RegisteredKind[]): z.ZodType<EngineEntry> {
  const names = kinds.map(({ kind }) => `"${kind}"`);
  const known = `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
  return z.record(z.string(), z.unknown()).transform((value, context) => {
    const registered = kinds.find(({ kind }) => kind === value['kind']);
    if (registered === undefined) {
      context.addIssue({ code: 'custom', path: ['kind'], message: `an engine needs a "kind": ${known}` });
      return z.NEVER;
    }
    const reading = registered.read(value);
    if ('entry' in reading) return reading.entry;
    for (const { path, message } of reading.problems) context.addIssue({ code: 'custom', path: [...path], message });
    return z.NEVER;
  });
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function mistakes(source: string, problems: readonly Problem[]): EnginesFileError {
  const lines = problems.map(({ path, message }) => `  ${placeOf(path)}: ${message}`);
  return new EnginesFileError(`${source} cannot be used:\n${lines.join('\n')}`);
}

const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .reduce<string>((place, key) => (typeof key === 'number' ? `${place}[${key}]` : `${place}.${String(key)}`), '')
    .replace(/^\./, '') || 'the file';
