/** Something between the client and the engine: what is measured. */
export interface RunningTarget {
  /** The chat completions route of this target. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Processes on the public side; their children count, too. */
  readonly relayPids: readonly number[];
  /** Processes on the engine's computer, where the target has that side. */
  readonly nodePids: readonly number[];
  /** Resident memory of the public side before its idle nodes came, where the target has such. */
  readonly bytesWithoutIdle?: number;
  stop(): Promise<void>;
}

export interface Target {
  readonly name: string;
  readonly version: () => string;
  /** @throws when a program that it needs cannot be had; the target is then reported as not measured, with the reason. */
  start(engineUrl: string, workDirectory: string): Promise<RunningTarget>;
}
