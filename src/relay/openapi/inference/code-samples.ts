import type { PublicPath } from './inference-routes.js';
import type { CodeSample } from './operation.js';
import {
  anthropicJavaScript,
  anthropicPython,
  curl,
  openAiJavaScript,
  openAiPython,
  type Snippet,
} from '../snippets.js';

const authorization = '-H "Authorization: Bearer $FERRY_API_KEY"';

const post = (baseUrl: string, path: PublicPath, body: object): CodeSample => ({
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

/** What `x-codeSamples` of an operation shows, in the words of the quickstart page. */
export function codeSamples(baseUrl: string, path: PublicPath): readonly CodeSample[] {
  const conversation = [{ role: 'user', content: 'Hello' }];
  switch (path) {
    case '/v1/models':
      return [{ lang: 'Shell', label: 'curl', source: `curl ${baseUrl}${path} ${authorization}` }];
    case '/v1/chat/completions':
      return [fromSnippet(curl(baseUrl)), fromSnippet(openAiPython(baseUrl))];
    case '/v1/completions':
      return [post(baseUrl, path, { model: 'tiny', prompt: 'Once upon a time', max_tokens: 64 })];
    case '/v1/responses':
      return [post(baseUrl, path, { model: 'tiny', input: 'Hello' }), fromSnippet(openAiJavaScript(baseUrl))];
    case '/v1/messages':
      return [
        post(baseUrl, path, { model: 'tiny', max_tokens: 256, messages: conversation }),
        fromSnippet(anthropicPython(baseUrl)),
        fromSnippet(anthropicJavaScript(baseUrl)),
      ];
    default:
      return path satisfies never;
  }
}
