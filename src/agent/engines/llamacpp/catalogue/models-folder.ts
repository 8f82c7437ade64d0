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

/** An installed file hides a bundled one of the same name. */
export async function listModels({ installed, bundled }: ModelFolders): Promise<ReadonlyMap<string, FolderFile>> {
  const models = new Map<string, FolderFile>();
  const shipped = bundled === undefined ? [] : await listGgufFiles(bundled);
  for (const file of shipped) models.set(file.engineModel, { ...file, removable: false });
  for (const file of await listGgufFiles(installed)) models.set(file.engineModel, { ...file, removable: true });
  return models;
}
