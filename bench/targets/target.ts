/** The measured system: a proxy between client and engine. */
export interface RunningTarget {
  /** URL of the chat completions route of this target. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Processes of the public side, with their descendants. */
  readonly relayPids: readonly number[];
  /** Processes on the engine's computer, if the target has any. */
  readonly nodePids: readonly number[];
  /** The public side is one Node process. */
  readonly isNode?: true;
  /** A database server that the public side uses. */
  readonly databasePids?: readonly number[];
  /** Resident memory of the public side before its idle nodes connected, if it has any. */
  readonly bytesWithoutIdle?: number;
  stop(): Promise<void>;
}

export interface Target {
  readonly name: string;
  readonly version: () => string;
  /** @throws when a program that it needs is not available; the target is then reported as not measured, with the reason */
  start(engineUrl: string, workDirectory: string): Promise<RunningTarget>;
}
