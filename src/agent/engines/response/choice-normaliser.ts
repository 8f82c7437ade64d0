/** One choice of a streamed response: its texts, its calls and its end. */
import { HalfPairs } from '../../../kernel/half-pairs.js';
import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineObject, EngineRoute } from '../engine.js';
import { CallAssembly } from './call-assembly.js';
import { readCallFragment } from './call-fragment.js';
import type { CallIds } from './call-ids.js';
import { finishReasonOf } from './finish-reason.js';
import { textsOfParts } from './part-texts.js';
import { normaliseTexts, hasMessage, textFields } from './text-fields.js';

const COMPLETION_TEXT = 'text';

export class ChoiceNormaliser {
  private calls: CallAssembly | undefined;
  private readonly halves = new HalfPairs();
  /** A delta has come, so that a whole message behind it repeats it. */
  private spoken = false;
  /** The last end that the engine named; null before. */
  private reason: ReturnType<typeof finishReasonOf> = null;

  constructor(
    readonly index: number,
    private readonly route: EngineRoute,
    private readonly ids: () => CallIds,
  ) {}

  get ended(): boolean {
    return this.reason !== null;
  }

  /** Half a character is waiting for the rest of it. */
  get waiting(): boolean {
    return this.halves.waiting;
  }

  /**
   * Converts the choice in place.
   * @param mayBeHalved whether its texts may end inside a surrogate pair
   * @returns whether an equal choice would become the same: its calls depend on those before
   * @throws EngineFailure for a finish reason that means an error
   */
  take(choice: EngineObject, mayBeHalved: boolean): boolean {
    choice['index'] = this.index;
    const reason = finishReasonOf(choice['finish_reason']);
    let repeatable = true;
    if (this.route === 'chat') repeatable = this.takeDelta(choice);
    else this.takeText(choice);
    if (mayBeHalved || this.halves.waiting) this.joinHalves(choice);
    if (reason !== null) this.noteEnd(reason);
    choice['finish_reason'] = reason === null ? null : this.finishReason;
    return repeatable;
  }

  /** The end as the client is told it: agents run tools only if it names them. */
  get finishReason(): string | null {
    return this.reason === 'stop' && this.calls !== undefined && this.calls.count > 0 ? 'tool_calls' : this.reason;
  }

  /** Returns the text that was held back until the end, if any. @throws EngineFailure for a call without a name */
  rest(): EngineObject | undefined {
    const calls = this.calls?.finish(this.reason === 'length') ?? [];
    const reported: EngineObject = {};
    for (const name of this.halves.names) reported[name] = this.halves.flush(name);
    if (calls.length > 0) reported['tool_calls'] = calls;
    if (!hasMessage(reported)) return undefined;
    const carried = this.route === 'chat' ? { delta: reported } : { text: reported[COMPLETION_TEXT] };
    return { index: this.index, ...carried, finish_reason: null };
  }

  /** Among several reasons, the one that is not `stop` is kept: a truncated response must not look complete. */
  private noteEnd(reason: NonNullable<typeof this.reason>): void {
    if (this.reason === null || this.reason === 'stop') this.reason = reason;
  }

  private takeDelta(choice: EngineObject): boolean {
    const delta = this.deltaOf(choice);
    if (choice['delta'] !== delta) choice['delta'] = delta;
    normaliseTexts(delta);
    const { tool_calls: calls } = delta;
    if (calls != null) this.takeCalls(delta, calls);
    if (!this.spoken) this.spoken = hasMessage(delta);
    return calls == null;
  }

  private deltaOf(choice: EngineObject): EngineObject {
    const { delta, text } = choice;
    if (text !== undefined) delete choice['text'];
    if (isJsonObject(delta)) {
      if (typeof text === 'string' && text !== '' && !delta['content']) delta['content'] = text;
      return delta;
    }
    const { message } = choice;
    if (isJsonObject(message)) {
      delete choice['message'];
      // Calls in it are recognised as repeated, text is not.
      return this.spoken ? { tool_calls: message['tool_calls'] } : message;
    }
    return typeof text === 'string' ? { content: text } : {};
  }

  private takeCalls(delta: EngineObject, value: unknown): void {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const out: unknown[] = [];
    list.forEach((raw, position) => {
      const fragment = readCallFragment(raw);
      if (fragment === undefined) {
        if (isJsonObject(raw)) out.push(raw);
        return;
      }
      this.calls ??= new CallAssembly(this.ids());
      out.push(...this.calls.take(fragment, position));
    });
    if (out.length > 0) delta['tool_calls'] = out;
    else if (list.length > 0) delete delta['tool_calls'];
  }

  private takeText(choice: EngineObject): void {
    const { text, delta, message } = choice;
    if (typeof text === 'string') return;
    const reported = [delta, message].find(isJsonObject);
    if (reported !== undefined) {
      delete choice['delta'];
      delete choice['message'];
    }
    choice['text'] = textsOfParts(text ?? reported?.['content'] ?? '').text;
  }

  private joinHalves(choice: EngineObject): void {
    const { delta } = choice;
    if (this.route === 'completions') {
      if (typeof choice['text'] === 'string') choice['text'] = this.halves.join(COMPLETION_TEXT, choice['text']);
      return;
    }
    if (!isJsonObject(delta)) return;
    const speaks = hasMessage(delta);
    for (const name of textFields) {
      const text = delta[name];
      if (typeof text === 'string' && text !== '') delta[name] = this.halves.join(name, text);
      // Something else follows: the other half will not come.
      else if (speaks && this.halves.names.includes(name)) delta[name] = this.halves.flush(name);
    }
  }
}
