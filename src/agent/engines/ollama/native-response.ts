/** Converts answers of Ollama's `/api/chat` and `/api/generate` (one JSON object, or one per line) to objects of the OpenAI routes. */
import { randomUUID } from 'node:crypto';
import { stringifyExact } from '../../../kernel/exact-json.js';
import { isJsonObject } from '../../../kernel/json-object.js';
import type { AnsweredRequest } from '../response/answered-request.js';
import { MAX_EVENT_CHARACTERS } from '../response/chunk-reader.js';
import { ChunkNormaliser } from '../response/chunk-normaliser.js';
import { isUnusual, parseEngineJson } from '../response/engine-json.js';
import { finishReasonOf } from '../response/finish-reason.js';
import type { EngineFailure, EngineObject, EngineRoute } from '../engine.js';
import { engineError, failureInResponse } from '../failures/failures.js';
import type { ResponseGrammar, StreamReader } from '../http/read-response.js';
import { parseEngineError } from '../failures/error-parser.js';

/** @param contextTokens of the runner */
export const nativeResponses = (route: EngineRoute, contextTokens: number): ResponseGrammar => ({
  streamReader: (request) => new NativeStreamReader(new ResponseParts(route, contextTokens), request),
  whole: (response) => new ResponseParts(route, contextTokens).whole(response),
});

/** Builds the objects of one response. */
class ResponseParts {
  private readonly id: string;
  private toolCalls = 0;

  constructor(
    private readonly route: EngineRoute,
    private readonly contextTokens: number,
  ) {
    this.id = `${route === 'chat' ? 'chatcmpl' : 'cmpl'}-${randomUUID()}`;
  }

  /** The chunks of one line; the last line also gives the usage chunk. */
  chunks(line: EngineObject): readonly EngineObject[] {
    const envelope = this.envelope(line, this.route === 'chat' ? 'chat.completion.chunk' : 'text_completion');
    const choice = this.choice(line, this.route === 'chat' ? 'delta' : 'text');
    const chunk = { ...envelope, choices: [choice] };
    return line['done'] === true ? [chunk, { ...envelope, choices: [], usage: usageOf(line) }] : [chunk];
  }

  /** @throws EngineFailure for a response that is not done */
  whole(response: EngineObject): EngineObject {
    if (response['done'] !== true) throw engineError('The engine ended the response before it was done.');
    const envelope = this.envelope(response, this.route === 'chat' ? 'chat.completion' : 'text_completion');
    const choice = this.choice(response, this.route === 'chat' ? 'message' : 'text');
    return { ...envelope, choices: [choice], usage: usageOf(response) };
  }

  private envelope(line: EngineObject, object: string): EngineObject {
    const created = Math.floor(Date.parse(String(line['created_at'])) / 1_000);
    return {
      id: this.id,
      object,
      created: Number.isSafeInteger(created) ? created : 0,
      model: line['model'],
      system_fingerprint: 'fp_ollama',
    };
  }

  private choice(line: EngineObject, member: 'delta' | 'message' | 'text'): EngineObject {
    const { done, done_reason: reason, logprobs } = line;
    const finish = done === true ? this.finishOf(line, reason) : null;
    const reported = member === 'text' ? textOf(line['response']) : this.message(line['message']);
    return {
      index: 0,
      [member]: reported,
      ...(Array.isArray(logprobs) && member !== 'text' && { logprobs: { content: logprobs } }),
      finish_reason: finish,
    };
  }

  /** A response beyond the context has lost the beginning of the conversation on the way, whatever has ended it. */
  private finishOf(line: EngineObject, reason: unknown): string {
    const { total_tokens: total } = usageOf(line);
    if (Number(total) > this.contextTokens) return 'length';
    // `done` is the end, whatever its reason is called.
    return finishReasonOf(reason) ?? 'stop';
  }

  private message(value: unknown): EngineObject {
    const message = isJsonObject(value) ? value : {};
    const { thinking, tool_calls: toolCalls } = message;
    const calls = Array.isArray(toolCalls) ? toolCalls.filter(isJsonObject).map((call) => this.call(call)) : [];
    return {
      role: 'assistant',
      content: textOf(message['content']),
      ...(typeof thinking === 'string' && thinking !== '' && { reasoning: thinking }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
  }

  private call({ id, function: called }: EngineObject): EngineObject {
    const { name, arguments: values } = isJsonObject(called) ? called : {};
    const index = this.toolCalls;
    this.toolCalls += 1;
    return {
      index,
      id: typeof id === 'string' && id !== '' ? id : `call_${randomUUID()}`,
      type: 'function',
      function: { name, arguments: typeof values === 'string' ? values : stringifyExact(values ?? {}) },
    };
  }
}

/** Gives the same chunks however the bytes are split. */
class NativeStreamReader implements StreamReader {
  private readonly decoder = new TextDecoder();
  private readonly normaliser: ChunkNormaliser;
  private rest = '';
  private ended = false;
  private failed: EngineFailure | undefined;

  constructor(
    private readonly parts: ResponseParts,
    request: AnsweredRequest,
  ) {
    this.normaliser = new ChunkNormaliser(request);
  }

  get done(): boolean {
    return this.ended;
  }

  get failure(): EngineFailure | undefined {
    return this.failed;
  }

  feed(bytes: Uint8Array): readonly EngineObject[] {
    return this.takeText(this.decoder.decode(bytes, { stream: true }));
  }

  end(): readonly EngineObject[] {
    const batch = this.ended ? [] : this.takeText(`${this.decoder.decode()}\n`);
    if (!this.ended) this.close(batch);
    if (this.failed === undefined && !this.normaliser.complete) {
      this.failed = engineError('The engine ended the stream before the response was complete.');
    }
    return batch;
  }

  private takeText(text: string): EngineObject[] {
    if (this.ended || this.failed !== undefined) return [];
    if (!text.includes('\n')) {
      this.keep(this.rest + text);
      return [];
    }
    const lines = (this.rest + text).split('\n');
    this.keep(lines.pop() ?? '');
    const batch: EngineObject[] = [];
    for (const line of lines) if (line.trim() !== '') this.takeLine(line, batch);
    return batch;
  }

  private keep(rest: string): void {
    this.rest = rest;
    if (rest.length <= MAX_EVENT_CHARACTERS) return;
    this.rest = '';
    this.failed = engineError(`The engine sent a line of more than ${MAX_EVENT_CHARACTERS} characters.`);
  }

  private takeLine(line: string, batch: EngineObject[]): void {
    if (this.ended || this.failed !== undefined) return;
    const value = parseEngineJson(line);
    const error = parseEngineError(value);
    if (error !== undefined) {
      this.failed = failureInResponse(error);
    } else if (!isJsonObject(value)) {
      this.failed = engineError('The engine sent a line that is not a JSON object.');
    } else {
      this.takeResponse(value, isUnusual(line), batch);
    }
  }

  private takeResponse(value: EngineObject, mayBeHalved: boolean, batch: EngineObject[]): void {
    try {
      for (const part of this.parts.chunks(value)) this.normaliser.take(part, mayBeHalved, batch);
    } catch (error) {
      this.failed = error as EngineFailure;
    }
    if (value['done'] === true) this.close(batch);
  }

  private close(batch: EngineObject[]): void {
    this.ended = true;
    if (this.failed !== undefined || !this.normaliser.complete) return;
    try {
      this.normaliser.end(batch);
    } catch (error) {
      this.failed = error as EngineFailure;
    }
  }
}

function usageOf({ prompt_eval_count: prompt, eval_count: completion }: EngineObject): EngineObject {
  const promptTokens = countOf(prompt);
  const completionTokens = countOf(completion);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** Ollama omits a count of zero. */
const countOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
