/** A failure that is for people, with what to do about it: shown as two lines. */
export class AdvisedError extends Error {
  override readonly name: string = 'AdvisedError';

  constructor(
    message: string,
    /** A command or a short sentence. */
    readonly advice?: string | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
