/** Changes one entry of a list in a YAML file; comments and everything else stay. */
import { isMap, isSeq, parseDocument, YAMLSeq, type Document, type YAMLMap } from 'yaml';
import { unreadableFile, unsupportedFile } from './file-refusal.js';

interface YamlEntry {
  /** The top-level list. */
  readonly list: string;
  /** The key whose value identifies an entry. */
  readonly by: string;
  /** Undefined removes a key. */
  readonly entry: Readonly<Record<string, string | readonly string[] | Readonly<Record<string, number>> | undefined>>;
  /** Top-level keys to add when the file lacks them. */
  readonly defaults: Readonly<Record<string, string>>;
}

/** @throws CliError when the file is not YAML, or the value is not a list */
export function editYaml(text: string, { list, by, entry, defaults }: YamlEntry, file: string): string {
  const document = parseYaml(text, file);
  for (const [key, value] of Object.entries(defaults)) if (!document.has(key)) document.set(key, value);
  const found = document.get(list);
  if (found !== undefined && found !== null && !isSeq(found)) throw unsupportedFile(file, `"${list}" is no list`);
  const entries = isSeq(found) ? found : new YAMLSeq();
  if (!isSeq(found)) document.set(list, entries);
  const same = entries.items.find((item): item is YAMLMap => isMap(item) && item.get(by) === entry[by]);
  if (same === undefined) entries.add(document.createNode(entry));
  else for (const [key, value] of Object.entries(entry)) setValue(document, same, key, value);
  // Both list styles are common; keep the one of the file.
  return document.toString({ lineWidth: 0, indentSeq: !/^[\w-]+:\s*\n- /m.test(text) });
}

function setValue(document: Document, map: YAMLMap, key: string, value: YamlEntry['entry'][string]): void {
  const found = map.get(key);
  if (value === undefined) map.delete(key);
  // Options of the person beside ours stay.
  else if (isMap(found) && typeof value === 'object' && !isList(value))
    for (const [name, inner] of Object.entries(value)) found.set(name, inner);
  else map.set(key, document.createNode(value));
}

const isList = (value: object): value is readonly string[] => Array.isArray(value);

/** @throws CliError */
export function parseYaml(text: string, file: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw unreadableFile(file, 'YAML', error);
  if (document.contents !== null && !isMap(document.contents)) throw unsupportedFile(file, 'it holds no mapping');
  return document;
}
