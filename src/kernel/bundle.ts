/** Data embedded in the single-file agent, which runs without the repository's other files. */
export interface BundleFacts {
  readonly version: string;
}

/** Defined by the bundler only. */
declare const FERRY_BUNDLE: BundleFacts | undefined;

/** Undefined in a checkout, where the same data is read from files. */
export const bundle: BundleFacts | undefined = typeof FERRY_BUNDLE === 'undefined' ? undefined : FERRY_BUNDLE;
