/** The two routes of the built-in engine, from request to answer. */
import type { Clock } from '../../../kernel/clock.js';
import { chunkSource, type EngineAnswer, type EngineCall, type EngineObject } from '../engine.js';
import { Answer } from './generation/answer.js';
import type { LoadedModel, PreparedAnswer } from './generation/loaded-model.js';
import { randomId, usageReport, type AnswerEnvelope } from './output/answer-envelope.js';
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

const envelopeOf = (call: RouteCall, idPrefix: string): AnswerEnvelope => ({
  id: randomId(idPrefix),
  created: Math.floor(call.clock.wallMs() / 1_000),
  model: call.engineModel,
  system_fingerprint: call.fingerprint,
});

const usageIn = (events: readonly OutputEvent[]): readonly GenerationUsage[] =>
  events.flatMap((event) => (event.kind === 'finish' ? [event.usage] : []));

async function beginAnswer(call: RouteCall, prepared: PreparedAnswer): Promise<Answer> {
  const answer = await Answer.begin(call.model, prepared, call.signal, call.clock);
  call.onMeter?.(() => usageReport(answer.usages));
  return answer;
}

/** @throws EngineFailure, the signal's reason */
export async function runChat(call: RouteCall): Promise<EngineAnswer> {
  const request = parseChatRequest(call.body);
  const prepared = await call.model.prepareChat(request);
  const answer = await beginAnswer(call, prepared);
  const envelope = envelopeOf(call, 'chatcmpl-');
  const { dropped } = request;
  if (call.stream)
    return { kind: 'stream', dropped, chunks: chunkSource(chatStream(answer, envelope, request.choices)) };
  try {
    const choices: EngineObject[] = [];
    const usages: GenerationUsage[] = [];
    for (let index = 0; index < request.choices; index += 1) {
      const events = await everyEvent(answer, index);
      choices.push(chatChoice(events, index));
      usages.push(...usageIn(events));
    }
    return { kind: 'whole', dropped, object: chatCompletion(envelope, choices, usages) };
  } finally {
    answer.end();
  }
}

async function* chatStream(
  answer: Answer,
  envelope: AnswerEnvelope,
  choices: number,
): AsyncGenerator<readonly EngineObject[], void, undefined> {
  try {
    const usages: GenerationUsage[] = [];
    for (let index = 0; index < choices; index += 1) {
      const chunks = new ChatChunks(envelope, index);
      for await (const events of answer.choice(index)) {
        usages.push(...usageIn(events));
        const step = chunks.push(events);
        if (step.length > 0) yield step;
      }
    }
    yield [chatUsageChunk(envelope, usages)];
  } finally {
    answer.end();
  }
}

/** @throws EngineFailure, the signal's reason */
export async function runCompletion(call: RouteCall): Promise<EngineAnswer> {
  const request = parseCompletionRequest(call.body);
  const prepared = call.model.prepareCompletion(request);
  const answer = await beginAnswer(call, prepared);
  const envelope = envelopeOf(call, 'cmpl-');
  const { dropped } = request;
  if (call.stream) return { kind: 'stream', dropped, chunks: chunkSource(completionStream(answer, envelope)) };
  try {
    const events = await everyEvent(answer, 0);
    const text = events.map((event) => (event.kind === 'content' ? event.text : '')).join('');
    const finish = events.find((event) => event.kind === 'finish');
    return {
      kind: 'whole',
      dropped,
      object: completionObject(envelope, text, finish?.reason ?? 'stop', finish?.usage),
    };
  } finally {
    answer.end();
  }
}

async function* completionStream(
  answer: Answer,
  envelope: AnswerEnvelope,
): AsyncGenerator<readonly EngineObject[], void, undefined> {
  try {
    for await (const events of answer.choice(0)) {
      const step = completionChunks(envelope, events);
      if (step.length > 0) yield step;
      for (const usage of usageIn(events)) yield [completionUsageChunk(envelope, usage)];
    }
  } finally {
    answer.end();
  }
}

async function everyEvent(answer: Answer, choice: number): Promise<readonly OutputEvent[]> {
  const all: OutputEvent[] = [];
  for await (const events of answer.choice(choice)) all.push(...events);
  return all;
}
