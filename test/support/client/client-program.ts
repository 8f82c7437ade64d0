/**
 * A program in any language that uses a client library as its users do. It reads one question as a line of JSON on stdin and writes one
 * answer as a line of JSON on stdout, until stdin ends; so one start serves many tests.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { RelayClient } from '../process/relay-client.js';

export interface Question {
  /** As the program names it. */
  readonly case: string;
  readonly [field: string]: unknown;
}

export interface ClientFailure {
  /** The class of the error, as the library names it. */
  readonly type: string;
  readonly status?: number | null;
  readonly message: string;
}

/** Exactly one of both. */
export interface ClientResponse {
  readonly ok?: Readonly<Record<string, unknown>>;
  readonly error?: ClientFailure;
}

interface Waiting {
  readonly resolve: (response: ClientResponse) => void;
  readonly reject: (error: Error) => void;
}

/** Of its log, for failure messages. */
const KEPT_CHARACTERS = 8_000;

export class ClientProgram {
  private readonly waiting: Waiting[] = [];
  private log = '';

  private constructor(private readonly child: ChildProcess) {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.log = (this.log + text).slice(-KEPT_CHARACTERS);
    });
    if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => this.take(line));
    child.on('error', (error) => this.end(error.message));
    child.on('close', (code, signal) => this.end(`it ended with ${signal ?? code}`));
    // What is written after its end fails through `close`.
    child.stdin?.on('error', () => undefined);
  }

  /** @param env beside `FERRY_URL` and `FERRY_API_KEY`, which every program reads */
  static start(
    [program, ...words]: readonly [string, ...string[]],
    relay: RelayClient,
    { cwd, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
  ): ClientProgram {
    return new ClientProgram(
      spawn(program, words, {
        cwd,
        env: { ...process.env, ...env, FERRY_URL: relay.baseUrl, FERRY_API_KEY: relay.apiKey },
      }),
    );
  }

  /** Questions are answered one after the other, in their order. */
  ask(question: Question): Promise<ClientResponse> {
    return new Promise((resolve, reject) => {
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        reject(new Error(`the program has ended\n${this.log}`));
        return;
      }
      this.waiting.push({ resolve, reject });
      this.child.stdin?.write(`${JSON.stringify(question)}\n`);
    });
  }

  /** @throws when the client failed */
  async result(question: Question): Promise<Readonly<Record<string, unknown>>> {
    const { ok, error } = await this.ask(question);
    if (ok === undefined) throw new Error(`${question.case}: ${JSON.stringify(error)}`);
    return ok;
  }

  /** @throws when the client did not fail */
  async failure(question: Question): Promise<ClientFailure> {
    const { ok, error } = await this.ask(question);
    if (error === undefined) throw new Error(`${question.case} succeeded: ${JSON.stringify(ok)}`);
    return error;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null || this.child.pid === undefined) return;
    const closed = once(this.child, 'close');
    this.child.stdin?.end();
    this.child.kill();
    await closed;
  }

  private take(line: string): void {
    this.waiting.shift()?.resolve(JSON.parse(line) as ClientResponse);
  }

  private end(how: string): void {
    for (const { reject } of this.waiting.splice(0)) reject(new Error(`${how}\n${this.log}`));
  }
}
