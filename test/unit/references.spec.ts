/** Links into `docs/` from code comments and other pages lead to an existing page and anchor. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../support/process/ferry-process.js';

const tracked = execFileSync('git', ['ls-files'], { cwd: repositoryRoot, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|js|mjs|md)$/.test(file) && existsSync(path.join(repositoryRoot, file)));

const pages = tracked.filter((file) => file.endsWith('.md'));

const read = (file: string): string => readFileSync(path.join(repositoryRoot, file), 'utf8');

/** The anchor that GitHub creates for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const anchors = new Map<string, Set<string>>();
const repeated: string[] = [];
function anchorsOf(page: string): ReadonlySet<string> {
  let found = anchors.get(page);
  if (found === undefined) {
    // A comment in a code block is not a heading.
    const text = read(page).replaceAll(/^```.*?^```/gms, '');
    found = new Set();
    for (const [, heading = ''] of text.matchAll(/^#{1,6} (.+)$/gm)) {
      const anchor = anchorOf(heading);
      // A second heading with the same text gets another anchor, which changes when a heading is added.
      if (found.has(anchor)) repeated.push(`${page}: ${heading}`);
      found.add(anchor);
    }
    anchors.set(page, found);
  }
  return found;
}

/** Undefined for a valid link. */
function fault(link: string, page: string): string | undefined {
  const [file = '', anchor] = page.split('#');
  if (!existsSync(path.join(repositoryRoot, file))) return `${link}: there is no ${file}`;
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).has(anchor)) return undefined;
  return `${link}: ${file} has no anchor #${anchor}`;
}

const linksInCode = (file: string): string[] =>
  [...read(file).matchAll(/docs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([link]) => link);

const linksInPage = (file: string): string[] =>
  [...read(file).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => link);

describe('references', () => {
  it('from code lead to a page and an anchor that exist', () => {
    const faults = tracked
      .filter((file) => !file.endsWith('.md') && file !== 'test/unit/references.spec.ts')
      .flatMap((file) => linksInCode(file).map((link) => fault(`${file}: ${link}`, link)))
      .filter((text) => text !== undefined);
    expect(faults).toEqual([]);
  });

  it('between pages lead to a file and an anchor that exist', () => {
    const faults = pages
      .flatMap((file) =>
        linksInPage(file).map((link) => {
          const target = link.startsWith('#') ? `${file}${link}` : path.posix.join(path.posix.dirname(file), link);
          return fault(`${file}: ${link}`, target);
        }),
      )
      .filter((text) => text !== undefined);
    expect(faults).toEqual([]);
  });

  it('references have one heading per anchor', () => {
    for (const page of pages) anchorsOf(page);
    expect(repeated).toEqual([]);
  });

  it('references to files of the repository lead to existing files', () => {
    const named = /`((?:src|test|bench|scripts|engines|public|docs)\/[\w./-]*\w)`/g;
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(named)]
        .filter(([, file = '']) => !existsSync(path.join(repositoryRoot, file)))
        .map(([, file = '']) => `${page}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  it('references name environment variables that the code knows', () => {
    const variable = /\bFERRY_[A-Z][A-Z_]*[A-Z]\b/g;
    const known = new Set(
      tracked.filter((file) => !file.endsWith('.md')).flatMap((file) => read(file).match(variable) ?? []),
    );
    const unknown = pages.flatMap((page) =>
      (read(page).match(variable) ?? []).filter((name) => !known.has(name)).map((name) => `${page}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('cite no document outside the repository', () => {
    const foreign = /\b(design|reliability|wire-protocols|performance|spec) §\d/i;
    const citing = tracked.filter(
      (file) => file !== 'test/unit/references.spec.ts' && foreign.test(read(file).replaceAll(/RFC \d+ §/g, '')),
    );
    expect(citing).toEqual([]);
  });
});
