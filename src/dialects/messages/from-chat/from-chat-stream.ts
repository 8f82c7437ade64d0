/** Converts a chat stream to events of a message (docs/reference/translation.md#chat-answer-to-a-message). */
import { isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import {
  readEngineChunk,
  readEngineUsage,
  type EngineDelta,
  type EngineUsage,
  type ToolCallFragment,
} from '../../chat/engine-chunk.js';
import { BlockQueue, type StreamedCall } from './block-queue.js';
import { CallArguments } from './call-arguments.js';
import { CallIds } from './call-ids.js';
import { outcomeOf, matchedStopIn, notEnded } from './outcome.js';
import { messageOf, type ResponseFacts, type MessageEvent } from './message.js';
import { estimatedUsage, messageUsage } from './usage.js';

/** One stream. Deterministic: the same chunks and facts give the same events. */
export class MessageStream {
  /** Usage of the last chunk with any. */
  usage: EngineUsage | null = null;
  /** Number of chunks with text, reasoning or calls; the usage of engines that report none. */
  outputChunks = 0;
  private inputTokensSoFar: () => number | null = () => null;
  private ready: MessageEvent[] = [];
  private begun = false;
  /** Reported by llama-server in its progress events. */
  private promptTokens: number | null = null;
  private finishReason: string | null = null;
  private matchedStop: string | null = null;
  private refused = false;
  private readonly calls = new Map<number, StreamedCall>();
  private readonly blocks: BlockQueue;

  constructor(private readonly facts: ResponseFacts) {
    this.blocks = new BlockQueue(new CallIds(facts.newCallId), (event) => {
      this.ready.push(event);
    });
  }

  /** Sets a function that returns the current prompt tokens, or null. */
  metered(inputTokensSoFar: () => number | null): void {
    this.inputTokensSoFar = inputTokensSoFar;
  }

  /**
   * The events of a chunk; none before the engine's first output, so that an earlier failure keeps its status
   * (docs/reference/request-lifecycle.md#phases).
   * @throws FerryError `engine_error` when too much must be queued
   */
  push(chunk: JsonObject): readonly MessageEvent[] {
    this.usage = readEngineUsage(chunk) ?? this.usage;
    if (!this.begun) this.promptTokens = promptTokensIn(chunk) ?? this.promptTokens;
    this.matchedStop = matchedStopIn(chunk) ?? this.matchedStop;
    const delta = readEngineChunk(chunk);
    if (delta !== null) this.take(delta);
    return this.takeReady();
  }

  /** The regular end of the stream. Call once. */
  end(): readonly MessageEvent[] {
    this.begin();
    this.blocks.close();
    const delta = outcomeOf({
      finishReason: this.finishReason,
      matchedStop: this.matchedStop,
      stopSequences: this.facts.stopSequences,
      calledTools: this.blocks.calledTools,
      refused: this.refused,
    });
    this.ready.push(
      { type: 'message_delta', delta, usage: this.finalUsage(), context_management: null },
      { type: 'message_stop' },
    );
    return this.takeReady();
  }

  private take(delta: EngineDelta): void {
    const hasOutput = carriesOutput(delta);
    if (hasOutput) this.outputChunks += 1;
    if (hasOutput || delta.finishReason !== null) this.begin();
    this.finishReason = delta.finishReason ?? this.finishReason;
    if (delta.refusal !== '') this.refused = true;
    this.blocks.addText('thinking', delta.reasoning);
    this.blocks.addText('text', delta.text + delta.refusal);
    delta.toolCalls.forEach((fragment, position) => {
      const index = fragment.index ?? position;
      this.addToCall(this.calls.get(index) ?? this.beginCall(index, fragment), fragment);
    });
  }

  private beginCall(index: number, { id, name }: ToolCallFragment): StreamedCall {
    const call = { id, name, arguments: new CallArguments() };
    this.calls.set(index, call);
    if (this.calls.size === 1 || !this.facts.serialCalls) this.blocks.beginCall(call);
    return call;
  }

  private addToCall(call: StreamedCall, fragment: ToolCallFragment): void {
    // Some engines send both late, some repeat them in every fragment.
    call.id ||= fragment.id;
    call.name ||= fragment.name;
    this.blocks.addToCall(call, call.arguments.take(fragment.arguments));
  }

  private begin(): void {
    if (this.begun) return;
    this.begun = true;
    // Exact instead of estimated; agents compute from it how full their context is.
    const inputTokens = this.usage?.inputTokens ?? this.promptTokens ?? this.inputTokensSoFar();
    const usage = estimatedUsage(inputTokens ?? this.facts.inputTokensEstimate, 0);
    this.ready.push({ type: 'message_start', message: messageOf(this.facts, [], notEnded, usage) }, { type: 'ping' });
  }

  private finalUsage() {
    return this.usage === null
      ? estimatedUsage(this.facts.inputTokensEstimate, this.outputChunks)
      : messageUsage(this.usage);
  }

  private takeReady(): readonly MessageEvent[] {
    const { ready } = this;
    this.ready = [];
    return ready;
  }
}

function promptTokensIn({ prompt_progress: progress }: JsonObject): number | null {
  const total = isJsonObject(progress) ? progress['total'] : undefined;
  return typeof total === 'number' && Number.isSafeInteger(total) && total > 0 ? total : null;
}

/** Whether the chunk has output; a role alone is none. */
const carriesOutput = ({ reasoning, text, refusal, toolCalls }: EngineDelta): boolean =>
  reasoning !== '' || text !== '' || refusal !== '' || toolCalls.length > 0;
