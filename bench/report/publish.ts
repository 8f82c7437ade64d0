/** Writes the newest results into the performance page. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { scenarios } from '../scenarios/scenarios.js';
import { renderPlot } from './plot.js';
import { renderReport } from './report.js';
import type { Results } from './results.js';

const BEGIN = '<!-- measured: begin (written by `npm run bench -- --publish`) -->';
const END = '<!-- measured: end -->';

/** @returns a message for the user @throws when there are no results, or the page has no place for them */
export async function publish(root: string, resultsDirectory: string): Promise<string> {
  const newest = readdirSync(resultsDirectory)
    // The folder also has the simulator's results, which do not start with a date.
    .filter((name) => /^\d.*\.json$/.test(name))
    .sort()
    .at(-1);
  if (newest === undefined) throw new Error('there are no results: run `npm run bench -- --full` first');
  const results = JSON.parse(readFileSync(path.join(resultsDirectory, newest), 'utf8')) as Results;
  const document = path.join(root, 'docs/internals/performance.md');
  const text = readFileSync(document, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin)
    throw new Error('docs/internals/performance.md has lost the marks of its measured part');
  const plot = '![Relay CPU per event and latencies, Ferry beside its peers](performance.svg)';
  const measured = `${BEGIN}\n\n${plot}\n\n${renderReport(results, scenarios).trim()}\n\n`;
  const page = text.slice(0, begin) + measured + text.slice(end);
  writeFileSync(document, await format(page, { ...(await resolveConfig(document)), parser: 'markdown' }));
  writeFileSync(path.join(root, 'docs/internals/performance.svg'), renderPlot(results));
  return `docs/internals/performance.md and docs/internals/performance.svg show ${newest}`;
}
