/**
 * Folders of the built-in engine's models: installed ones in the data directory, and bundled ones, which are part of the program and
 * read-only.
 */
import { listGgufFiles, type GgufFile } from './gguf-files.js';

export interface ModelFolders {
  readonly installed: string;
  readonly bundled: string | undefined;
}

export interface FolderFile extends GgufFile {
  /** False for bundled models. */
  readonly removable: boolean;
}

/** For a process that lists the folders again and again: the bundled folder is part of the program and does not change while it runs. */
export const listBundled = ({ bundled }: ModelFolders): Promise<readonly GgufFile[]> =>
  bundled === undefined ? Promise.resolve([]) : listGgufFiles(bundled);

/** An installed file hides a bundled one of the same name. */
export async function listModels(
  folders: ModelFolders,
  bundled: Promise<readonly GgufFile[]> = listBundled(folders),
): Promise<ReadonlyMap<string, FolderFile>> {
  const models = new Map<string, FolderFile>();
  for (const file of await bundled) models.set(file.engineModel, { ...file, removable: false });
  for (const file of await listGgufFiles(folders.installed)) models.set(file.engineModel, { ...file, removable: true });
  return models;
}
