/** The built-in engine with the model that ships with Ferry: real tokens, no network. */
import path from 'node:path';
import { filter, firstValueFrom } from 'rxjs';
import {
  EngineFailure,
  type Engine,
  type EngineModel,
  type EngineObject,
  type EngineRoute,
} from '../../../src/agent/engines/engine.js';
import {
  createLlamacppEngine,
  type LlamacppEngineOptions,
} from '../../../src/agent/engines/llamacpp/llamacpp-engine.js';
import { systemClock } from '../../../src/kernel/clock.js';
import type { NodeFailure } from '../../../src/link/messages.js';
import { batchesOf } from './response-batches.js';

export const enginePackageDirectory = path.resolve('engines/llamacpp');
export const tinyFile = path.resolve('engines/models/tiny.gguf');

export interface AnsweredToolCall {
  readonly index?: number;
  readonly id?: string;
  readonly type?: string;
  readonly function: { readonly name?: string; readonly arguments: string };
}

export interface AnsweredChoice {
  readonly index: number;
  readonly delta: {
    readonly role?: string;
    readonly content?: string;
    readonly reasoning_content?: string;
    readonly tool_calls?: readonly AnsweredToolCall[];
  };
  readonly message: {
    readonly content: string | null;
    readonly reasoning_content?: string;
    readonly tool_calls?: readonly AnsweredToolCall[];
  };
  readonly text: string;
  readonly finish_reason: string | null;
}

/** A complete response or one of its chunks. */
export interface ResponseObject {
  readonly id: string;
  readonly choices: readonly AnsweredChoice[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number };
}

export const ask = (content: string) => [{ role: 'user', content }];

export const contentOf = (chunks: readonly ResponseObject[]): string =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');

export const untilLoaded = (engine: Engine): Promise<readonly EngineModel[]> =>
  firstValueFrom(engine.models$.pipe(filter((models) => models.some(({ state }) => state === 'loaded'))));

export class TinyEngine {
  private constructor(
    readonly engine: Engine,
    readonly models: readonly EngineModel[],
  ) {}

  /** Fails instead of skipping: without its packages the engine reports what to run, and so does the suite. */
  static async start(options: Partial<LlamacppEngineOptions> = {}): Promise<TinyEngine> {
    const warnings: string[] = [];
    const engine = createLlamacppEngine({
      enginePackageDirectory,
      modelsDirectory: path.dirname(tinyFile),
      load: ['tiny'],
      clock: systemClock,
      log: (level, message) => {
        if (level === 'warn') warnings.push(message);
      },
      ...options,
    });
    await engine.start();
    if (engine.facts().version === null) throw new Error(warnings.join('\n'));
    return new TinyEngine(engine, await untilLoaded(engine));
  }

  stop(): Promise<void> {
    return this.engine.stop();
  }

  call(body: EngineObject, stream: boolean, options: { route?: EngineRoute; signal?: AbortSignal } = {}) {
    return this.engine.run({
      route: options.route ?? 'chat',
      engineModel: 'tiny',
      body: Buffer.from(JSON.stringify({ model: 'public-name', temperature: 0, ...body })),
      stream,
      signal: options.signal ?? new AbortController().signal,
    });
  }

  async whole(body: EngineObject, route: EngineRoute = 'chat'): Promise<ResponseObject> {
    const response = await this.call(body, false, { route });
    if (response.kind !== 'whole') throw new Error('expected a whole answer');
    return response.object as unknown as ResponseObject;
  }

  async message(body: EngineObject): Promise<AnsweredChoice['message']> {
    const [choice] = (await this.whole(body)).choices;
    if (choice === undefined) throw new Error('an answer without choices');
    return choice.message;
  }

  async iterator(body: EngineObject, signal?: AbortSignal): Promise<AsyncIterator<readonly EngineObject[]>> {
    const response = await this.call(body, true, signal === undefined ? {} : { signal });
    if (response.kind !== 'stream') throw new Error('expected a stream');
    return batchesOf(response.chunks);
  }

  async streamed(body: EngineObject, route: EngineRoute = 'chat'): Promise<readonly ResponseObject[]> {
    const response = await this.call(body, true, { route });
    if (response.kind !== 'stream') throw new Error('expected a stream');
    const chunks: EngineObject[] = [];
    for await (const step of batchesOf(response.chunks)) chunks.push(...step);
    return chunks as unknown as ResponseObject[];
  }

  async failure(body: EngineObject): Promise<NodeFailure> {
    const error: unknown = await this.whole(body).catch((reason: unknown) => reason);
    if (!(error instanceof EngineFailure)) throw new Error(`expected a failure, got ${JSON.stringify(error)}`);
    return error.failure;
  }
}
