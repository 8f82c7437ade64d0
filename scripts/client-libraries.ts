/** The sections of docs/guide/clients.md on libraries in other languages: the part of each tested program that makes its client. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { libraries, type CaseName, type ClientLibrary, type Language } from '../test/clients/libraries.js';

const root = path.resolve(import.meta.dirname, '..');

const titles: Readonly<Record<Language, string>> = {
  python: 'Frameworks for Python',
  go: 'Go',
  java: 'Java',
  rust: 'Rust',
};

const introduction = `These programs also read the relay's address from the environment, without \`/v1\`:

\`\`\`sh
export FERRY_URL=https://relay.example
\`\`\`

The examples are parts of [programs](../../test/clients) that \`npm test -- clients\` runs. Each of these programs is tested with

- an answer, a stream, and the usage,
- a tool call, and the answer to its result,
- an object that follows a schema,
- reasoning apart from the text,
- an unknown model and a stream that fails midway: the error has the words of the relay, unless its section says otherwise,
- leaving a stream, which ends the work of the engine.

What a library has not is in its section.`;

/** Between the lines with `docs:begin` and `docs:end`, which are comments of the language; indented as these are, it begins at the margin. */
export function exampleOf(source: string): string {
  const lines = source.split('\n');
  const begin = lines.findIndex((line) => line.includes('docs:begin'));
  const end = lines.findIndex((line) => line.includes('docs:end'));
  if (begin < 0 || end < begin) throw new Error('no example between docs:begin and docs:end');
  const indent = /^\s*/.exec(lines[begin] ?? '')?.[0].length ?? 0;
  return lines
    .slice(begin + 1, end)
    .map((line) => line.slice(indent))
    .join('\n')
    .trim();
}

const names: Readonly<Record<CaseName, string>> = {
  chat: 'answers',
  stream: 'streams',
  tools: 'tools',
  structured: 'schemas',
  reasoning: 'reasoning',
  usage: 'usage',
  error: 'errors',
  cut: 'failures within a stream',
  cancel: 'leaving a stream',
};

const lacksOf = ({ lacks = {} }: ClientLibrary): readonly string[] =>
  Object.entries(lacks).map(([name, why]) => `- No ${names[name as CaseName]}: ${why}.`);

const section = (library: ClientLibrary): string => {
  const source = readFileSync(path.join(root, 'test/clients', library.language, library.program), 'utf8');
  const lacks = lacksOf(library);
  return [
    `### ${library.title}`,
    '',
    library.note,
    ...(lacks.length === 0 ? [] : ['', ...lacks]),
    '',
    `\`\`\`${library.language}`,
    exampleOf(source),
    '```',
    '',
  ].join('\n');
};

/** Of all languages. */
export const renderClientLibraries = (): string =>
  [
    '## Libraries in other languages',
    '',
    introduction,
    '',
    ...Object.entries(titles).flatMap(([language, title]) => [
      `## ${title}`,
      '',
      ...libraries.filter((library) => library.language === language).map(section),
    ]),
  ].join('\n');
