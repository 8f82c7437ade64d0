/** What the one-file agent carries in itself, because the repository's other files are not beside it. */
export interface BundleFacts {
  readonly version: string;
}

/** Put in by the bundler; the name does not exist anywhere else. */
declare const FERRY_BUNDLE: BundleFacts | undefined;

/** Undefined in a checkout, where the same facts are read from its files. */
export const bundle: BundleFacts | undefined = typeof FERRY_BUNDLE === 'undefined' ? undefined : FERRY_BUNDLE;
