/** The fake engine with a record of which prompts ran, and of every word that it sent. */
import { setTimeout as delay } from 'node:timers/promises';
import { FakeEngine, type FakeCall } from '../../support/engine/fake-engine.js';
import type { EngineRun } from './history.js';

/** One run, with words that identify the request. */
export class RecordedRun implements EngineRun {
  text = '';
  private words = 0;

  constructor(
    readonly marker: string,
    readonly engine: string,
    readonly call: FakeCall,
  ) {}

  /** @returns false when the connection accepts no more for now */
  say(padding = ''): boolean {
    const word = `${this.marker}:${(this.words += 1)}${padding} `;
    this.text += word;
    return this.call.chunk({ content: word });
  }

  /** A complete response at once, or a short stream, as requested. */
  respond(): Promise<void> | undefined {
    if (this.call.streaming) return this.tell(3, 10);
    this.text = `${this.marker}:whole `;
    this.call.completion(this.text);
    return undefined;
  }

  /** A complete stream. */
  async tell(words: number, everyMs: number): Promise<void> {
    this.call.startStream();
    for (let index = 0; index < words && !this.call.gone; index += 1) {
      this.say();
      if (everyMs > 0) await delay(everyMs);
    }
    if (!this.call.gone) this.call.finish();
  }
}

export class RecordingEngine {
  readonly runs: RecordedRun[] = [];
  behave: (run: RecordedRun) => void | Promise<void> = (run) => run.tell(5, 0);

  private constructor(
    readonly name: string,
    readonly fake: FakeEngine,
  ) {
    fake.respond = (call) => {
      const marker = /m-[0-9a-f-]{36}/.exec(call.raw.toString('utf8'))?.[0] ?? 'unmarked';
      const run = new RecordedRun(marker, name, call);
      this.runs.push(run);
      return this.behave(run);
    };
  }

  static async start(name: string, models: readonly string[]): Promise<RecordingEngine> {
    return new RecordingEngine(name, await FakeEngine.start({ models }));
  }

  runOf(marker: string): RecordedRun | undefined {
    return this.runs.find((run) => run.marker === marker);
  }

  /** Calls that have not ended, on either side. */
  get open(): readonly RecordedRun[] {
    return this.runs.filter(({ call }) => !call.gone && !call.over);
  }

  stop(): Promise<void> {
    return this.fake.stop();
  }
}
