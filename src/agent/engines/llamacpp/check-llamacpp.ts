/** Checks the built-in engine's files and configuration without starting it. Read-only. */
import { readdir } from 'node:fs/promises';
import type { EngineProblem } from '../engine-problem.js';
import { EngineNotInstalled, loadBinding, type Binding } from './binding.js';
import { lastTensorStart } from './catalogue/gguf-facts.js';
import type { GgufFile } from './catalogue/gguf-files.js';
import { listModels, type ModelFolders } from './catalogue/models-folder.js';

export interface LlamacppCheck {
  readonly enginePackageDirectory: string;
  readonly folders: ModelFolders;
  /** The folder is configured, so it must exist. */
  readonly folderIsNamed: boolean;
  readonly load: 'all' | readonly string[];
}

export async function checkLlamacpp(check: LlamacppCheck): Promise<readonly EngineProblem[]> {
  const { folders, load } = check;
  let binding: Binding;
  try {
    binding = await loadBinding(check.enginePackageDirectory);
  } catch (error) {
    const [summary, next] =
      error instanceof EngineNotInstalled
        ? ['the built-in engine is not installed', error.remedy]
        : [`the built-in engine cannot be started: ${reasonOf(error)}`, 'install its packages again'];
    return [{ summary, next, stopsEngine: true }];
  }
  const folderProblem = check.folderIsNamed ? await unreadable(folders.installed) : undefined;
  if (folderProblem !== undefined) return [folderProblem];
  const files = await listModels(folders);
  const missing = (load === 'all' ? [] : load)
    .filter((name) => !files.has(name))
    .map((name) =>
      problem(
        `"load" names ${name}, which is not in ${folders.installed}`,
        'correct "load" in engines.json, or install the model',
      ),
    );
  const broken: EngineProblem[] = [];
  // Sequentially, to limit open files: a folder may have a thousand.
  for (const file of files.values()) {
    const found = await brokenFile(binding, file);
    if (found !== undefined) broken.push(found);
  }
  return [...missing, ...broken];
}

const problem = (summary: string, next: string): EngineProblem => ({ summary, next, stopsEngine: false });

async function unreadable(folder: string): Promise<EngineProblem | undefined> {
  try {
    await readdir(folder);
    return undefined;
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const summary = missing
      ? `the models folder ${folder} does not exist`
      : `the models folder ${folder} cannot be read: ${reasonOf(error)}`;
    return { summary, next: 'create it, or correct "models_directory" in engines.json', stopsEngine: true };
  }
}

async function brokenFile(binding: Binding, { path, paths, sizeBytes }: GgufFile): Promise<EngineProblem | undefined> {
  const next = 'install the model again, or remove the file';
  try {
    // The size of a split model is a sum, so its first file cannot be checked.
    const lastStart = paths.length > 1 ? 0 : await lastTensorStart(binding, path);
    if (lastStart < sizeBytes) return undefined;
    return problem(`${path} is cut off: it has ${sizeBytes} bytes, and a tensor begins at ${lastStart}`, next);
  } catch (error) {
    return problem(`${path} is not a readable GGUF file: ${reasonOf(error)}`, next);
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
