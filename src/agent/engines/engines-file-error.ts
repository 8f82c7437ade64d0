import { AdvisedError } from '../../kernel/errors/advised-error.js';

/** Invalid `engines.json`, or an entry of which no engine can be created. The message lists all mistakes, for people. */
export class EnginesFileError extends AdvisedError {
  override readonly name = 'EnginesFileError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, 'correct it, then: ferry node doctor', options);
  }
}
