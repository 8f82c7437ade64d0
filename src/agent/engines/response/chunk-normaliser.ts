/**
 * The one reader of the chunks that engines send, before any dialect: behind it every chunk has the types, ids, indices and ends of Chat
 * Completions or Text Completions, whatever the engine wrote (docs/reference/engines.md#what-engines-send). A well-formed chunk is only
 * looked at.
 */
import { elementsOf, isJsonObject } from '../../../kernel/json-object.js';
import { repairTexts } from '../../../kernel/well-formed-text.js';
import type { EngineObject } from '../engine.js';
import { engineError } from '../failures/failures.js';
import { requestedChoices, type AnsweredRequest } from './answered-request.js';
import { indexIn } from './call-fragment.js';
import { CallIds } from './call-ids.js';
import { ChoiceNormaliser } from './choice-normaliser.js';
import { normaliseEnvelope, summedUsage } from './envelope-fields.js';
import { hasMessage } from './text-fields.js';

/** Memory bound; no engine gives more choices. */
const MAX_CHOICES = 128;

/** A chunk that ends its choice. */
interface LastChunk {
  readonly chunk: EngineObject;
  readonly choice: ChoiceNormaliser;
}

export class ChunkNormaliser {
  private readonly choices = new Map<number, ChoiceNormaliser>();
  /** Waits for the next chunk, because some engines name an end in every chunk, or go on behind it. */
  private held: LastChunk | undefined;
  /** Choices that went on behind their end, each with a chunk of it: they are told their end when the stream ends. */
  private readonly reopened = new Map<ChoiceNormaliser, EngineObject>();
  /** Half a character of a choice waits for the rest of it. */
  private halved = false;
  /** Choices whose end the client has got. */
  private readonly sent = new Set<ChoiceNormaliser>();

  private ids: CallIds | undefined;
  /** Counts the tokens that the engine has reported so far. */
  private completionTokens = 0;

  constructor(private readonly request: AnsweredRequest) {}

  /** True once every choice has its end, which a complete stream requires. */
  get complete(): boolean {
    if (this.choices.size === 0) return false;
    for (const choice of this.choices.values()) if (!choice.ended) return false;
    return true;
  }

  /** A chunk that equals an earlier one may make another event, because of what is held back. */
  get holding(): boolean {
    return this.halved || this.held !== undefined || this.reopened.size > 0;
  }

  /**
   * Converts the chunk in place.
   * @param mayBeHalved whether its texts may contain half surrogate pairs
   * @param into gets the chunks for the client
   * @returns whether an equal chunk would be passed on in the same way, whatever comes between
   * @throws EngineFailure for a finish reason that means an error, and for a response without bounds
   */
  take(chunk: EngineObject, mayBeHalved: boolean, into: EngineObject[]): boolean {
    normaliseEnvelope(chunk);
    const isBare = isJsonObject(chunk['choices']);
    if (isBare) chunk['choices'] = [chunk['choices']];
    const { choices } = chunk;
    if (!Array.isArray(choices) || choices.length === 0) return this.takeWithoutChoice(chunk, into);
    let last: ChoiceNormaliser | undefined;
    let repeatable = choices.length === 1 && !isBare && !mayBeHalved && !this.holding;
    for (let position = 0; position < choices.length; position += 1) {
      const value: unknown = choices[position];
      if (!isJsonObject(value)) continue;
      last = this.choiceOf(value, position);
      repeatable = last.take(value, mayBeHalved) && repeatable;
    }
    if (last === undefined) return false;
    if (mayBeHalved || this.halved) this.halved = [...this.choices.values()].some(({ waiting }) => waiting);
    if (mayBeHalved) repairTexts(chunk);
    if (choices.length === 1 && this.held === undefined && !last.ended) {
      into.push(chunk);
      return repeatable;
    }
    if (choices.length === 1) this.takeNearEnd(chunk, last, into);
    // Repaired texts are in other objects than before.
    else this.takeSeveral(chunk, elementsOf(chunk['choices']), into);
    return false;
  }

  /** The regular end of the stream. @throws EngineFailure for a call without a name */
  end(into: EngineObject[]): void {
    this.release(into);
    for (const [choice, chunk] of this.reopened) {
      this.giveRest(choice, chunk, into);
      const empty = this.request.route === 'chat' ? { delta: {} } : { text: '' };
      into.push(chunkLike(chunk, { index: choice.index, ...empty, finish_reason: choice.finishReason }));
    }
    this.reopened.clear();
  }

  /** The stream has failed: what was held back goes without its end, because a failed answer must not look complete. */
  abandon(into: EngineObject[]): void {
    const { held } = this;
    this.held = undefined;
    if (held !== undefined) this.pass(held.chunk, null, into);
  }

  private readonly callIds = (): CallIds => (this.ids ??= new CallIds(this.request.body));

  private takeWithoutChoice(chunk: EngineObject, into: EngineObject[]): boolean {
    // A ping of an engine, or another object that is no chunk.
    if (!Array.isArray(chunk['choices']) && !isJsonObject(chunk['usage'])) return false;
    // Clients read `choices[0]` unchecked.
    chunk['choices'] = [];
    this.completionTokens = summedUsage(chunk['usage'], this.completionTokens, this.choices.size > 1);
    this.release(into);
    into.push(chunk);
    return false;
  }

  /** A chunk that ends its choice, or comes behind one that does. */
  private takeNearEnd(chunk: EngineObject, choice: ChoiceNormaliser, into: EngineObject[]): void {
    const { held } = this;
    if (held?.choice === choice) {
      // A second end, or usage beside an empty delta.
      if (!says(chunk)) {
        this.takeUsageOf(chunk, into);
        return;
      }
      this.held = undefined;
      this.pass(held.chunk, null, into);
    } else this.release(into);
    if (!choice.ended) into.push(chunk);
    else if (this.sent.has(choice)) this.pass(chunk, null, into);
    else if (finishIn(chunk) === null) {
      this.reopened.set(choice, chunk);
      this.pass(chunk, null, into);
    } else {
      this.reopened.delete(choice);
      this.held = { chunk, choice };
    }
  }

  /** Chunks with several choices are rare: their ends are told at once. */
  private takeSeveral(chunk: EngineObject, choices: readonly unknown[], into: EngineObject[]): void {
    this.release(into);
    for (const value of choices) {
      if (!isJsonObject(value) || value['finish_reason'] === null) continue;
      const choice = [...this.choices.values()].find(({ index }) => index === value['index']);
      if (choice === undefined) continue;
      this.giveRest(choice, chunk, into);
      value['finish_reason'] = this.sent.has(choice) ? null : choice.finishReason;
      this.sent.add(choice);
    }
    into.push(chunk);
  }

  private takeUsageOf(chunk: EngineObject, into: EngineObject[]): void {
    if (!isJsonObject(chunk['usage'])) return;
    chunk['choices'] = [];
    this.release(into);
    into.push(chunk);
  }

  private release(into: EngineObject[]): void {
    const { held } = this;
    if (held === undefined) return;
    this.held = undefined;
    const { chunk, choice } = held;
    this.giveRest(choice, chunk, into);
    this.sent.add(choice);
    this.pass(chunk, choice.finishReason, into);
  }

  private giveRest(choice: ChoiceNormaliser, like: EngineObject, into: EngineObject[]): void {
    const rest = choice.rest();
    if (rest !== undefined) into.push(chunkLike(like, rest));
  }

  /** Without anything to say, a chunk is nothing but its end or its usage. */
  private pass(chunk: EngineObject, finishReason: string | null, into: EngineObject[]): void {
    const choice = onlyChoiceOf(chunk);
    if (choice !== undefined) choice['finish_reason'] = finishReason;
    if (finishReason !== null || says(chunk)) into.push(chunk);
    else if (isJsonObject(chunk['usage'])) into.push({ ...chunk, choices: [] });
  }

  private choiceOf(choice: EngineObject, position: number): ChoiceNormaliser {
    const named = indexIn(choice['index']);
    const index = named ?? position;
    // Without an index it is the one that has begun, whatever that one's index is here.
    const isUnnamed = named === null && position === 0 && this.choices.size === 1;
    const only = isUnnamed ? this.choices.values().next().value : undefined;
    const known = only ?? this.choices.get(index);
    if (known !== undefined) return known;
    if (this.choices.size >= MAX_CHOICES) throw engineError(`The engine sent more than ${MAX_CHOICES} choices.`);
    // Some engines number their only choice 1.
    const isOnly = index > 0 && this.choices.size === 0 && requestedChoices(this.request) === 1;
    const made = new ChoiceNormaliser(isOnly ? 0 : index, this.request.route, this.callIds);
    this.choices.set(index, made);
    return made;
  }
}

function onlyChoiceOf({ choices }: EngineObject): EngineObject | undefined {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isJsonObject(choice) ? choice : undefined;
}

const finishIn = (chunk: EngineObject): unknown => onlyChoiceOf(chunk)?.['finish_reason'] ?? null;

function says(chunk: EngineObject): boolean {
  const choice = onlyChoiceOf(chunk);
  if (choice === undefined) return false;
  const { delta, text } = choice;
  return (typeof text === 'string' && text !== '') || (isJsonObject(delta) && hasMessage(delta));
}

function chunkLike(chunk: EngineObject, choice: EngineObject): EngineObject {
  const { usage: _usage, ...envelope } = chunk;
  return { ...envelope, choices: [choice] };
}
