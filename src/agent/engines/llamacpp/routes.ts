/** The routes of the built-in engine, from request to answer. */
import type { Clock } from '../../../kernel/clock.js';
import { chunkSource, type EngineResponse, type EngineCall, type EngineObject } from '../engine.js';
import { GeneratedResponse } from './generation/generated-response.js';
import type { LoadedModel, PreparedResponse } from './generation/loaded-model.js';
import { randomId, usageReport, type ResponseEnvelope } from './output/response-envelope.js';
import { ChatChunks, chatChoice, chatCompletion, chatUsageChunk } from './output/chat-objects.js';
import { completionChunks, completionObject, completionUsageChunk } from './output/completion-objects.js';
import type { GenerationUsage, OutputEvent } from './output/output-event.js';
import { parseChatRequest } from './request/chat-request.js';
import { parseCompletionRequest } from './request/completion-request.js';

interface RouteCall {
  readonly model: LoadedModel;
  readonly engineModel: string;
  readonly fingerprint: string;
  readonly body: Buffer;
  readonly stream: boolean;
  readonly signal: AbortSignal;
  readonly onMeter: EngineCall['onMeter'];
  readonly clock: Clock;
}

const envelopeOf = (call: RouteCall, idPrefix: string): ResponseEnvelope => ({
  id: randomId(idPrefix),
  created: Math.floor(call.clock.wallMs() / 1_000),
  model: call.engineModel,
  system_fingerprint: call.fingerprint,
});

const usageIn = (events: readonly OutputEvent[]): readonly GenerationUsage[] =>
  events.flatMap((event) => (event.kind === 'finish' ? [event.usage] : []));

async function beginResponse(call: RouteCall, prepared: PreparedResponse): Promise<GeneratedResponse> {
  const response = await GeneratedResponse.begin(call.model, prepared, call.signal, call.clock);
  call.onMeter?.(() => usageReport(response.usages));
  return response;
}

/** @throws EngineFailure, the signal's reason */
export async function runChat(call: RouteCall): Promise<EngineResponse> {
  const request = parseChatRequest(call.body);
  const prepared = await call.model.prepareChat(request);
  const response = await beginResponse(call, prepared);
  const envelope = envelopeOf(call, 'chatcmpl-');
  const { dropped } = request;
  if (call.stream)
    return { kind: 'stream', dropped, chunks: chunkSource(chatStream(response, envelope, request.choices)) };
  try {
    const choices: EngineObject[] = [];
    const usages: GenerationUsage[] = [];
    for (let index = 0; index < request.choices; index += 1) {
      const events = await everyEvent(response, index);
      choices.push(chatChoice(events, index));
      usages.push(...usageIn(events));
    }
    return { kind: 'whole', dropped, object: chatCompletion(envelope, choices, usages) };
  } finally {
    response.end();
  }
}

async function* chatStream(
  response: GeneratedResponse,
  envelope: ResponseEnvelope,
  choices: number,
): AsyncGenerator<readonly EngineObject[], void, undefined> {
  try {
    const usages: GenerationUsage[] = [];
    for (let index = 0; index < choices; index += 1) {
      const chunks = new ChatChunks(envelope, index);
      for await (const events of response.choice(index)) {
        usages.push(...usageIn(events));
        const step = chunks.push(events);
        if (step.length > 0) yield step;
      }
    }
    yield [chatUsageChunk(envelope, usages)];
  } finally {
    response.end();
  }
}

/** Computes nothing. @throws EngineFailure */
export function countChat({ model, body }: Pick<RouteCall, 'model' | 'body'>): EngineResponse {
  return { kind: 'whole', object: { input_tokens: model.countChat(parseChatRequest(body)) } };
}

/** @throws EngineFailure, the signal's reason */
export async function runCompletion(call: RouteCall): Promise<EngineResponse> {
  const request = parseCompletionRequest(call.body);
  const prepared = call.model.prepareCompletion(request);
  const response = await beginResponse(call, prepared);
  const envelope = envelopeOf(call, 'cmpl-');
  const { dropped } = request;
  if (call.stream) return { kind: 'stream', dropped, chunks: chunkSource(completionStream(response, envelope)) };
  try {
    const events = await everyEvent(response, 0);
    const text = events.map((event) => (event.kind === 'content' ? event.text : '')).join('');
    const finish = events.find((event) => event.kind === 'finish');
    return {
      kind: 'whole',
      dropped,
      object: completionObject(envelope, text, finish?.reason ?? 'stop', finish?.usage),
    };
  } finally {
    response.end();
  }
}

async function* completionStream(
  response: GeneratedResponse,
  envelope: ResponseEnvelope,
): AsyncGenerator<readonly EngineObject[], void, undefined> {
  try {
    for await (const events of response.choice(0)) {
      const step = completionChunks(envelope, events);
      if (step.length > 0) yield step;
      for (const usage of usageIn(events)) yield [completionUsageChunk(envelope, usage)];
    }
  } finally {
    response.end();
  }
}

async function everyEvent(response: GeneratedResponse, choice: number): Promise<readonly OutputEvent[]> {
  const all: OutputEvent[] = [];
  for await (const events of response.choice(choice)) all.push(...events);
  return all;
}
