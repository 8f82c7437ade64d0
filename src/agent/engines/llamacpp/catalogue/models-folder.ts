/**
 * Where the built-in engine's models lie: those that its owner installs, in a folder of the data directory, and beside them those that
 * come with Ferry, which are part of the program and never written to.
 */
import { listGgufFiles, type GgufFile } from './gguf-files.js';

export interface ModelFolders {
  readonly installed: string;
  readonly bundled: string | undefined;
}

export interface FolderFile extends GgufFile {
  /** False for what comes with Ferry. */
  readonly removable: boolean;
}

/** Of two files with one name the owner's own is taken. */
export async function listModels({ installed, bundled }: ModelFolders): Promise<ReadonlyMap<string, FolderFile>> {
  const models = new Map<string, FolderFile>();
  const shipped = bundled === undefined ? [] : await listGgufFiles(bundled);
  for (const file of shipped) models.set(file.engineModel, { ...file, removable: false });
  for (const file of await listGgufFiles(installed)) models.set(file.engineModel, { ...file, removable: true });
  return models;
}
