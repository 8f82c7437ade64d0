/** Requests to an engine under test, and their results. */
import { filter, firstValueFrom, timeout } from 'rxjs';
import type {
  DocumentRoute,
  ResponseOptions,
  Engine,
  EngineResponse,
  EngineModel,
  EngineObject,
} from '../../src/agent/engines/engine.js';
import { OperationFailure, type OperationProgress } from '../../src/agent/engines/engine-management.js';
import { batchesOf } from '../support/engine/response-batches.js';

const WAIT_MS = 15_000;

export const weatherTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Tells the weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

export const greeting = { messages: [{ role: 'user', content: 'Hello' }], temperature: 0, max_tokens: 64 };
export const weatherQuestion = {
  messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
  tools: [weatherTool],
  temperature: 0,
  max_tokens: 64,
};
/** Long enough to be interrupted. */
export const story = { messages: [{ role: 'user', content: 'Tell me a story.' }], max_tokens: 2_000 };

export const ask = (
  engine: Engine,
  model: string,
  body: object,
  options: { readonly stream: boolean; readonly signal?: AbortSignal; readonly responseOptions?: ResponseOptions },
): Promise<EngineResponse> =>
  engine.run({
    route: 'chat',
    engineModel: model,
    body: Buffer.from(JSON.stringify({ model: 'public-name', ...body })),
    stream: options.stream,
    ...(options.responseOptions !== undefined && { responseOptions: options.responseOptions }),
    signal: options.signal ?? new AbortController().signal,
  });

/** A request without generated text, and the engine's response in its own words. */
export async function askDocument(
  engine: Engine,
  model: string,
  route: DocumentRoute,
  body: object,
  signal = new AbortController().signal,
): Promise<string> {
  const raw = Buffer.from(JSON.stringify({ model: 'public-name', ...body }));
  const response = await engine.run({ route, engineModel: model, body: raw, stream: false, signal });
  if (response.kind !== 'document') throw new Error('not a document');
  return response.bytes.toString('utf8');
}

/** The usage in the first chunk of a streamed response, for clients that need the prompt's length at the start. */
export async function usageAtTheStart(engine: Engine, model: string, promptTokens: boolean): Promise<unknown> {
  const response = await ask(engine, model, greeting, {
    stream: true,
    responseOptions: { matchedStop: false, promptTokens },
  });
  if (response.kind !== 'stream') throw new Error('not a stream');
  const chunks: EngineObject[] = [];
  for await (const batch of batchesOf(response.chunks)) chunks.push(...batch);
  return chunks[0]?.['usage'];
}

export interface ToolCall {
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A response, streamed or not. */
export interface CollectedResponse {
  readonly content: string;
  readonly calls: readonly ToolCall[];
  readonly finishReason: string | null;
  readonly usage: Readonly<Record<string, unknown>> | undefined;
}

interface Part {
  readonly content?: string | null;
  readonly tool_calls?: readonly { index?: number; function?: { name?: string; arguments?: string } }[];
}
interface Choice {
  readonly delta?: Part;
  readonly message?: Part;
  readonly finish_reason: string | null;
}

export async function collect(response: EngineResponse): Promise<CollectedResponse> {
  const objects: EngineObject[] = [];
  if (response.kind === 'document') throw new Error('not generated text');
  if (response.kind === 'whole') objects.push(response.object);
  else for await (const batch of batchesOf(response.chunks)) objects.push(...batch);
  return joined(objects);
}

function joined(objects: readonly EngineObject[]): CollectedResponse {
  const calls: { function: { name: string; arguments: string } }[] = [];
  let content = '';
  let finishReason: string | null = null;
  let usage: CollectedResponse['usage'];
  for (const object of objects) {
    usage = (object['usage'] as CollectedResponse['usage'] | null) ?? usage;
    for (const choice of (object['choices'] ?? []) as readonly Choice[]) {
      const part = choice.message ?? choice.delta ?? {};
      content += part.content ?? '';
      finishReason = choice.finish_reason ?? finishReason;
      for (const [position, { index = position, function: called = {} }] of (part.tool_calls ?? []).entries()) {
        const call = (calls[index] ??= { function: { name: '', arguments: '' } }).function;
        call.name += called.name ?? '';
        call.arguments += called.arguments ?? '';
      }
    }
  }
  return { content, calls, finishReason, usage };
}

export const listWhen = (
  engine: Engine,
  is: (models: readonly EngineModel[]) => boolean,
): Promise<readonly EngineModel[]> => firstValueFrom(engine.models$.pipe(filter(is), timeout(WAIT_MS)));

export const stateIn = (models: readonly EngineModel[], name: string): EngineModel['state'] | undefined =>
  models.find((model) => model.engine_model === name)?.state;

export const modelsNow = (engine: Engine): Promise<readonly EngineModel[]> => firstValueFrom(engine.models$);

export class Progress {
  readonly reports: OperationProgress[] = [];
  readonly controller = new AbortController();
  private onReport: (() => void) | undefined;
  /** Resolves at the first report with a phase or with `completedBytes`. */
  readonly underWay = new Promise<void>((resolve) => {
    this.onReport = resolve;
  });

  readonly context = {
    signal: this.controller.signal,
    report: (progress: OperationProgress): void => {
      this.reports.push(progress);
      this.onReport?.();
    },
  };
}

/** The error of an operation that must fail. */
export async function failureOf(operation: Promise<unknown>): Promise<OperationFailure> {
  const error: unknown = await operation.then(
    (value) => new Error(`it succeeded with ${String(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof OperationFailure) return error;
  throw error;
}
