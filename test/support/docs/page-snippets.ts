/** The code blocks of README and guide that a reader can run: shell and JavaScript. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../process/ferry-process.js';

export interface Snippet {
  /** `docs/guide/usage.md: ferry usage …`: the page, and the first line without its comment. */
  readonly name: string;
  readonly page: string;
  readonly language: 'sh' | 'js';
  readonly code: string;
}

const languages: Readonly<Record<string, Snippet['language']>> = { sh: 'sh', bash: 'sh', js: 'js', javascript: 'js' };

const guide = 'docs/guide';

export const pageSnippets = (): readonly Snippet[] =>
  [
    'README.md',
    ...readdirSync(path.join(repositoryRoot, guide))
      .sort()
      .map((file) => `${guide}/${file}`),
  ]
    .filter((page) => page.endsWith('.md'))
    .flatMap(snippetsOf);

function snippetsOf(page: string): readonly Snippet[] {
  const text = readFileSync(path.join(repositoryRoot, page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, word = '', code = '']) => {
    const language = languages[word];
    const [first = ''] = code.split('\n');
    return language === undefined ? [] : [{ name: `${page}: ${first.replace(/ +#.*$/, '')}`, page, language, code }];
  });
}
