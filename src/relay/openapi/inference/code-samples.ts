import type { Protocol } from '../../../dialects/protocol.js';
import type { Schema } from '../../../dialects/schema.js';
import type { Dialect } from '../../../kernel/dialect.js';
import {
  anthropicJavaScript,
  anthropicPython,
  curl,
  openAiJavaScript,
  openAiPython,
  type Snippet,
} from '../snippets.js';
import type { CodeSample } from './operation.js';

const authorization = '-H "Authorization: Bearer $FERRY_API_KEY"';

const post = (baseUrl: string, path: string, body: Schema): CodeSample => ({
  lang: 'Shell',
  label: 'curl',
  source: `curl ${baseUrl}${path} \\\n  ${authorization} \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(body)}'`,
});

const languages = { sh: 'Shell', python: 'Python', javascript: 'JavaScript', toml: 'TOML' } as const;

const fromSnippet = ({ language, title, code }: Snippet): CodeSample => ({
  lang: languages[language],
  label: title,
  source: code,
});

/** Examples of the quickstart page, in its words. */
const snippetsOf: Readonly<Partial<Record<Dialect, readonly ((baseUrl: string) => Snippet)[]>>> = {
  chat: [curl, openAiPython],
  responses: [openAiJavaScript],
  messages: [anthropicPython, anthropicJavaScript],
};

/** An entry of `x-codeSamples` of an operation. */
export const codeSamples = (
  baseUrl: string,
  { dialect, path }: Pick<Protocol, 'dialect' | 'path'>,
  sample: Schema | undefined,
): readonly CodeSample[] => [
  ...(sample === undefined ? [] : [post(baseUrl, path, sample)]),
  ...(snippetsOf[dialect] ?? []).map((snippet) => fromSnippet(snippet(baseUrl))),
];

export const modelsSamples = (baseUrl: string): readonly CodeSample[] => [
  { lang: 'Shell', label: 'curl', source: `curl ${baseUrl}/v1/models ${authorization}` },
];
