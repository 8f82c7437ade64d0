/** One message for all mistakes of `engines.json`; also for what only shows when an engine is made of it. For people. */
export class EnginesFileError extends Error {
  override readonly name = 'EnginesFileError';
}
