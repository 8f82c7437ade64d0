/** A relay that serves, of one process or of several workers. */
export interface RunningRelay {
  /** Public address, without `/v1`. */
  readonly baseUrl: string;
  readonly port: number;
  /** Whether a person can sign in with an e-mail address: false after the first start of `ferry serve`. */
  hasUsers(): Promise<boolean>;
  /** Reads the settings file again, and changes the settings that may change while the relay runs. Never throws. */
  reload(): void;
  /** Resolves when the relay has closed. */
  readonly drained: Promise<void>;
  /**
   * Drains, then frees everything; the same promise for every call.
   * @param drainTimeoutMs how long running streams may go on; default `FERRY_DRAIN_TIMEOUT_MS`
   */
  close(drainTimeoutMs?: number): Promise<void>;
}
