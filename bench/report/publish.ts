/** Writes the newest results into the performance page. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'oxfmt';
import { scenarios } from '../scenarios/scenarios.js';
import { renderPlot } from './plot.js';
import { renderReport, renderUnpinned } from './report.js';
import type { Results } from './results.js';

const BEGIN = '<!-- measured: begin (written by `npm run bench -- --publish`) -->';
const END = '<!-- measured: end -->';

/** Results of all runs in the folder, the newest first. */
const runs = (directory: string): readonly { readonly name: string; readonly results: Results }[] =>
  readdirSync(directory)
    // The folder also has the simulator's results, which do not start with a date.
    .filter((name) => /^\d.*\.json$/.test(name))
    .sort()
    .reverse()
    .map((name) => ({ name, results: JSON.parse(readFileSync(path.join(directory, name), 'utf8')) as Results }));

/**
 * Shows the newest pinned run, and the newest unpinned one of the same commit, if there is one.
 * @returns a message for the user @throws when there are no results, or the page has no place for them
 */
export async function publish(root: string, resultsDirectory: string): Promise<string> {
  const all = runs(resultsDirectory);
  // A machine with one core cannot pin.
  const newest = all.find(({ results }) => results.pinned) ?? all[0];
  if (newest === undefined) throw new Error('there are no results: run `npm run bench -- --full` first');
  const { results } = newest;
  const unpinned = all.find((run) => run !== newest && !run.results.pinned && run.results.commit === results.commit);
  const document = path.join(root, 'docs/internals/performance.md');
  const text = readFileSync(document, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin)
    throw new Error('docs/internals/performance.md has lost the marks of its measured part');
  const plot = '![Relay CPU per event and latencies, Ferry beside its peers](performance.svg)';
  const second = unpinned === undefined ? '' : renderUnpinned(unpinned.results, scenarios).trim();
  const measured = `${BEGIN}\n\n${plot}\n\n${renderReport(results, scenarios).trim()}\n\n${second}\n\n`;
  const page = text.slice(0, begin) + measured + text.slice(end);
  writeFileSync(document, (await format(document, page, { singleQuote: true })).code);
  writeFileSync(path.join(root, 'docs/internals/performance.svg'), renderPlot(results));
  return `docs/internals/performance.md and docs/internals/performance.svg show ${[newest, unpinned].flatMap((run) => run?.name ?? []).join(' and ')}`;
}
