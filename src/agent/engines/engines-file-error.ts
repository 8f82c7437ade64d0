/** Invalid `engines.json`, or an entry of which no engine can be created. The message lists all mistakes, for people. */
export class EnginesFileError extends Error {
  override readonly name = 'EnginesFileError';
}
