/**
 * `ferry up` is two processes while it starts. The first one, which the user has started, supervises relay and node, and stays; its child sets
 * everything up, shows how to use it, and ends, so that what only a start needs holds no memory for as long as Ferry runs. They talk over
 * Node's IPC channel.
 */
import { CliError } from '../../../core/errors/cli-error.js';
import { exitCodes } from '../../../core/errors/exit-codes.js';
import type { Facts } from '../../../core/supervision/messages.js';
import { InstanceLockedError } from '../../../../kernel/instance-lock.js';

export type ProcessName = 'relay' | 'node';

/** How the supervisor starts a process, and starts it again. */
export interface ProcessPlan {
  readonly name: ProcessName;
  /** Of `ferry`. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gets its output. */
  readonly logFile: string;
  /** It is killed when it has not ended so long after it was asked to. */
  readonly graceMs: number;
}

/** What a second `ferry up` is told of the first one. Without the API key, which is in the credentials file for authorised users. */
export interface ReadyInstance {
  readonly base_url: string;
  readonly cluster_id: string;
  readonly node_id: string;
  readonly model: string | null;
  /** Where the relay is asked from this computer. */
  readonly local_url: string;
  readonly host: string;
}

export type SetupRequest =
  /** Makes the supervisor the only `ferry up` of the data directory. */
  | { readonly kind: 'claim'; readonly directory: string }
  /** Answered with the facts of the process, once it is ready. */
  | { readonly kind: 'launch'; readonly plan: ProcessPlan }
  /** Answered when both processes have ended. */
  | { readonly kind: 'stop' }
  /** Everything runs: from now on, the end of the setup changes nothing. */
  | { readonly kind: 'ready'; readonly instance: ReadyInstance };

export type SupervisorMessage =
  | { readonly kind: 'done'; readonly id: number; readonly facts?: Facts }
  | { readonly kind: 'locked'; readonly id: number; readonly directory: string; readonly holder?: object | undefined }
  | {
      readonly kind: 'refused';
      readonly id: number;
      readonly code: string;
      readonly message: string;
      readonly hint?: string | undefined;
    }
  /** For the user: the setup draws on the terminal. */
  | { readonly kind: 'note'; readonly line: string }
  /** The user has asked to stop. */
  | { readonly kind: 'cancel' };

interface Waiting {
  readonly resolve: (facts: Facts) => void;
  readonly reject: (error: Error) => void;
}

/** The side of the setup. Requests reject when the supervisor refuses them. */
export class SupervisorChannel {
  private readonly waiting = new Map<number, Waiting>();
  private readonly cancel = new AbortController();
  private lastId = 0;
  private closing = false;

  constructor(private readonly note: (line: string) => void) {
    process.on('message', this.receive);
    // Relay and node end with the supervisor, too.
    process.on('disconnect', () => {
      if (!this.closing) process.exit(exitCodes.failure);
    });
  }

  /** Aborted when the user has asked to stop. */
  get cancelled(): AbortSignal {
    return this.cancel.signal;
  }

  /** @throws InstanceLockedError when another process uses the directory; nothing has been started then */
  async claim(directory: string): Promise<void> {
    await this.ask({ kind: 'claim', directory });
  }

  /** @throws CliError when it ends before it is ready */
  launch(plan: ProcessPlan): Promise<Facts> {
    return this.ask({ kind: 'launch', plan });
  }

  async stop(): Promise<void> {
    await this.ask({ kind: 'stop' });
  }

  async ready(instance: ReadyInstance): Promise<void> {
    await this.ask({ kind: 'ready', instance });
  }

  /** The channel keeps this process alive until then. */
  close(): void {
    this.closing = true;
    process.off('message', this.receive);
    if (process.connected) process.disconnect();
  }

  private ask(request: SetupRequest): Promise<Facts> {
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      process.send?.({ ...request, id });
    });
  }

  private readonly receive = (raw: unknown): void => {
    const message = raw as SupervisorMessage;
    switch (message.kind) {
      case 'note':
        this.note(message.line);
        return;
      case 'cancel':
        this.cancel.abort();
        return;
      case 'done':
        this.settle(message.id)?.resolve(message.facts ?? {});
        return;
      case 'locked':
        this.settle(message.id)?.reject(new InstanceLockedError(message.directory, message.holder));
        return;
      case 'refused': {
        const { code, hint } = message;
        this.settle(message.id)?.reject(new CliError(code, exitCodes.failure, message.message, { hint }));
        return;
      }
      default:
        message satisfies never;
    }
  };

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }
}
