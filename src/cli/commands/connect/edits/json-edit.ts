/** Changes single values of a JSON file, with or without comments; everything else stays unchanged. */
import { applyEdits, modify, parse, printParseErrorCode, type FormattingOptions, type ParseError } from 'jsonc-parser';
import { isJsonObject } from '../../../../kernel/json-object.js';
import { unreadableFile, unsupportedFile } from './file-refusal.js';

export interface JsonValue {
  readonly path: readonly string[];
  /** Undefined removes it. */
  readonly value: unknown;
}

/** @throws CliError when the file is not a JSON object, or a path leads through a value that is not an object */
export function editJson(text: string, values: readonly JsonValue[], file: string): string {
  const source = text.trim() === '' ? '{}\n' : text;
  const formattingOptions = formattingOf(source);
  const before = parseJsonFile(source, file);
  return values.reduce((edited, { path, value }) => {
    assertObjects(before, path, file);
    if (value === undefined && !hasValue(before, path)) return edited;
    return applyEdits(edited, modify(edited, [...path], value, { formattingOptions }));
  }, source);
}

/** @throws CliError */
export function parseJsonFile(text: string, file: string): Readonly<Record<string, unknown>> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.trim() === '' ? '{}' : text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw unreadableFile(file, 'JSON', `${printParseErrorCode(first.error)} in line ${String(line)}`);
  }
  if (!isJsonObject(value)) throw unsupportedFile(file, 'it holds no JSON object');
  return value;
}

function assertObjects(root: Readonly<Record<string, unknown>>, path: readonly string[], file: string): void {
  let value: unknown = root;
  path.slice(0, -1).forEach((name, index) => {
    value = isJsonObject(value) ? value[name] : undefined;
    if (value !== undefined && !isJsonObject(value)) {
      throw unsupportedFile(file, `"${path.slice(0, index + 1).join('.')}" is no object`);
    }
  });
}

const hasValue = (root: unknown, path: readonly string[]): boolean =>
  path.reduce<unknown>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), root) !== undefined;

const formattingOf = (text: string): FormattingOptions => {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length, eol: '\n' };
};
