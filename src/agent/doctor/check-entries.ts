import type { EngineEntry } from '../engines/engine-entry.js';
import type { EngineContext } from '../engines/engine-kind.js';
import { problem, type Finding } from './finding.js';

export interface CheckedEntries {
  /** `engine_files`, one for each thing that is missing or broken on this computer. */
  readonly findings: readonly Finding[];
  /** Those that can serve something, as far as their files go. */
  readonly usable: readonly EngineEntry[];
}

/** What the engines of the plan need on this computer: packages, folders and model files. */
export async function checkEntries(entries: readonly EngineEntry[], context: EngineContext): Promise<CheckedEntries> {
  const checked = await Promise.all(entries.map(async (entry) => ({ entry, problems: await entry.check(context) })));
  return {
    findings: checked.flatMap(({ entry: { kind, name }, problems }) =>
      problems.map(({ summary, next }) => problem('fail', 'engine_files', summary, next, { kind, name: name ?? kind })),
    ),
    usable: checked
      .filter(({ problems }) => problems.every(({ stopsEngine }) => !stopsEngine))
      .map(({ entry }) => entry),
  };
}
