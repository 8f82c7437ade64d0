/**
 * Assigns what an engine says about tool calls to calls, so that each runs once: engines omit indices and ids, repeat ids, number every
 * call 0, give one call two indices, and send arguments again as a whole (docs/reference/engines.md#tool-calls).
 */
import { HalfPairs } from '../../../kernel/half-pairs.js';
import { JsonEndScanner } from '../../../kernel/json-end-scanner.js';
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import { beginsObject } from '../../../kernel/json-prefix.js';
import type { EngineObject } from '../engine.js';
import { engineError } from '../failures/failures.js';
import { callFragmentOf, encodedOnce, type CallFragment } from './call-fragment.js';
import type { CallIds } from './call-ids.js';

/** A looping model must not exhaust the node's memory. */
const MAX_CALLS = 512;
/** All calls together may have as much as one event. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

export interface AssembledCall {
  /** Empty until the engine gives one. */
  engineId: string;
  name: string;
  /** The arguments so far. */
  text: string;
  readonly written: JsonEndScanner;
  /** The part of the arguments that was not passed on. */
  pending: string;
  /** Each fragment has all of the arguments so far. */
  cumulative: boolean;
  /**
   * An earlier call that this one may repeat, as long as that is not decided: nothing of this one is passed on. Running a command twice is
   * worse than a call that comes late.
   */
  twin: AssembledCall | null;
  /** Where it stands in the response, and its id there; null until it is passed on. */
  place: { readonly index: number; readonly id: string } | null;
}

export class CallAssembly {
  private readonly calls: AssembledCall[] = [];
  private readonly byIndex = new Map<number, AssembledCall>();
  private readonly byId = new Map<string, AssembledCall>();
  private readonly halves = new HalfPairs();
  private last: AssembledCall | undefined;
  private begun = 0;
  private characters = 0;

  constructor(private readonly ids: CallIds) {}

  /** Number of calls that were passed on. */
  get count(): number {
    return this.begun;
  }

  /**
   * @param position among the fragments that came at once
   * @returns the fragments for the client
   * @throws EngineFailure for too many calls or too long arguments
   */
  take(fragment: CallFragment, position: number): readonly EngineObject[] {
    const out: EngineObject[] = [];
    const index = fragment.index ?? position;
    const call = this.callOf(fragment, index);
    if (call.engineId === '' && fragment.id !== '') {
      call.engineId = fragment.id;
      this.byId.set(fragment.id, call);
    }
    call.name ||= fragment.name;
    this.last = call;
    const reported = call.text === '' ? encodedOnce(fragment.arguments) : fragment.arguments;
    this.add(call, index, reported, fragment.raw, out);
    return out;
  }

  /**
   * The engine says no more about calls.
   * @param cut whether the response ends at a limit, in the middle of whatever was being said
   * @throws EngineFailure for a call without a name
   */
  finish(cut: boolean): readonly EngineObject[] {
    const out: EngineObject[] = [];
    for (const call of this.calls) {
      if (call.twin !== null) this.settleAtEnd(call, call.twin, out);
      if (call.twin !== null) continue;
      if (call.name === '' && call.text.trim() !== '' && !cut) {
        throw engineError('The engine called a tool without naming it.');
      }
      // Clients parse the arguments, and not all accept an empty text as an empty object.
      if (call.text === '' && !cut) this.add(call, -1, '{}', {}, out);
      this.emit(call, {}, out, true);
    }
    return out;
  }

  /** First by id, then by name, then by whether the arguments of the call so far are closed. */
  private callOf(fragment: CallFragment, index: number): AssembledCall {
    const { id, name } = fragment;
    const known = id === '' ? undefined : this.byId.get(id);
    if (known !== undefined) return this.sameId(known, fragment, index);
    const here = this.at(fragment, index);
    if (here === undefined) return this.open(fragment, index, id === '' ? this.namedAlike(name) : null);
    if (id !== '' && here.engineId !== '') return this.otherId(here, fragment, index);
    if (name === '' || here.name === '') return here;
    if (name !== here.name) return continues(here, fragment) ? here : this.open(fragment, index, null);
    // Said once without an id and once with one.
    return id !== '' && here.written.complete && fragment.arguments.trim() !== ''
      ? this.open(fragment, index, here)
      : here;
  }

  /** A call with an id, which one without may repeat under another index. */
  private namedAlike(name: string): AssembledCall | null {
    return this.calls.findLast((call) => name !== '' && call.name === name && call.engineId !== '') ?? null;
  }

  private at({ index: given, name, id }: CallFragment, index: number): AssembledCall | undefined {
    const here = this.byIndex.get(index);
    // Without any mark it continues what was said last.
    return given === null && name === '' && id === '' && here?.written.complete !== false ? (this.last ?? here) : here;
  }

  private sameId(known: AssembledCall, fragment: CallFragment, index: number): AssembledCall {
    const { name } = fragment;
    const here = this.byIndex.get(index);
    if (here !== undefined && here !== known && here.engineId === fragment.id) return here;
    // Some engines give one id to all calls of a response.
    if (name !== '' && known.name !== '' && name !== known.name) {
      return continues(known, fragment) ? known : this.open(fragment, index, null);
    }
    const elsewhere = fragment.index !== null && here !== known;
    if (!elsewhere || name === '' || known.name === '') return known;
    return isRestOf(known, fragment) ? known : this.open(fragment, index, known);
  }

  /** A fragment with another id than the call at its index. */
  private otherId(here: AssembledCall, fragment: CallFragment, index: number): AssembledCall {
    if (fragment.name !== '') {
      return fragment.name === here.name && continues(here, fragment) ? here : this.open(fragment, index, null);
    }
    // A new id in every fragment.
    return here.written.complete ? this.open(fragment, index, here) : here;
  }

  private open({ id, name }: Pick<CallFragment, 'id' | 'name'>, index: number, twin: AssembledCall | null) {
    if (this.calls.length === MAX_CALLS) throw engineError(`The engine called more than ${MAX_CALLS} tools at once.`);
    const call: AssembledCall = {
      engineId: id,
      name: name === '' ? (twin?.name ?? '') : name,
      text: '',
      written: new JsonEndScanner(),
      pending: '',
      cumulative: false,
      twin: twin?.twin ?? twin,
      place: null,
    };
    this.calls.push(call);
    this.byIndex.set(index, call);
    if (id !== '' && !this.byId.has(id)) this.byId.set(id, call);
    return call;
  }

  private add(call: AssembledCall, index: number, reported: string, raw: EngineObject, out: EngineObject[]): void {
    const repeated = isRepeated(call, reported);
    // Known from one fragment that can mean nothing else, as the first ones do.
    if (repeated && reported !== call.text && isNoRest(call.text, reported)) call.cumulative = true;
    const text = repeated ? reported.slice(call.text.length) : reported;
    const end = call.written.complete ? 0 : call.written.push(text);
    const own = end === undefined ? text : text.slice(0, end);
    this.characters += own.length;
    if (this.characters > MAX_CHARACTERS) throw engineError('The engine sent too much before it finished a tool call.');
    call.text += own;
    call.pending += own;
    if (call.twin !== null && call.written.complete) this.settle(call, call.twin, index);
    this.emit(call, raw, out, false);
    const rest = text.slice(own.length).trimStart();
    // Another object behind a closed one is another call. Anything else there would make the arguments invalid.
    if (!rest.startsWith('{')) return;
    const next = this.open({ id: '', name: call.name }, index, call);
    this.last = next;
    this.add(next, index, rest, {}, out);
  }

  /** The arguments of a call that may repeat another one are complete. */
  private settle(call: AssembledCall, twin: AssembledCall, index: number): void {
    if (this.isRepeated(call)) {
      this.byIndex.set(index, twin);
      this.last = twin;
    } else if (twin.written.complete) call.twin = null;
    // As long as the other one is open, this may be the rest of it.
  }

  private settleAtEnd(call: AssembledCall, twin: AssembledCall, out: EngineObject[]): void {
    if (this.isRepeated(call) || call.text.trim() === '') return;
    if (twin.written.complete) {
      if (call.written.complete) call.twin = null;
      return;
    }
    const continued = call.text.startsWith(twin.text) ? call.text.slice(twin.text.length) : call.text;
    if (isJsonObject(parseJson(twin.text + continued))) this.add(twin, -1, continued, {}, out);
    else if (call.written.complete) call.twin = null;
  }

  private isRepeated(call: AssembledCall): boolean {
    const value = canonical(call.text);
    return this.calls.some((other) => {
      return other !== call && other.twin === null && other.name === call.name && canonical(other.text) === value;
    });
  }

  /** Passes on what is known. A call begins with its name, and with its id if the engine gives one before the arguments. */
  private emit(call: AssembledCall, raw: EngineObject, out: EngineObject[], last: boolean): void {
    if (call.twin !== null || call.name === '') return;
    if (call.place === null && call.engineId === '' && call.pending === '' && !last) return;
    const begins = call.place === null;
    if (begins) this.emitBefore(call, out);
    call.place ??= { index: this.begun, id: this.ids.give(call.engineId) };
    if (begins) this.begun += 1;
    const key = String(call.place.index);
    const text = this.halves.join(key, call.pending) + (last ? this.halves.flush(key) : '');
    call.pending = '';
    const fragment = callFragmentOf(call.place, begins ? call.name : null, text, raw);
    if (fragment !== undefined) out.push(fragment);
  }

  /** Calls that waited for an id come in their order: it is not awaited behind the next call. */
  private emitBefore(call: AssembledCall, out: EngineObject[]): void {
    for (const earlier of this.calls) {
      if (earlier === call) return;
      if (earlier.place === null) this.emit(earlier, {}, out, true);
    }
  }
}

/** Whether a fragment with a name continues a call all the same: in the middle of its arguments, and not with a new object. */
const continues = (call: AssembledCall, { arguments: text }: CallFragment): boolean =>
  call.text !== '' && !call.written.complete && text.trim() !== '' && !text.trimStart().startsWith('{');

/** Whether a fragment under another index, with the id and the name of a call, is the next piece of it: an engine counts its fragments. */
const isRestOf = (call: AssembledCall, fragment: CallFragment): boolean =>
  call.text === '' ? fragment.arguments.trim() !== '' : continues(call, fragment);

/** Some engines send the whole arguments after their fragments, or all of them so far in every fragment. */
const isRepeated = ({ text, written, cumulative }: AssembledCall, reported: string): boolean =>
  text !== '' &&
  !written.complete &&
  reported.startsWith(text) &&
  (cumulative || isNoRest(text, reported) || isJsonObject(parseJson(reported)));

/** Whether no JSON object goes on like this. One may go on with its own beginning: in an object of its own, or in `{"{":1}` cut behind `{"`. */
const isNoRest = (text: string, reported: string): boolean => text.startsWith('{') && !beginsObject(text + reported);

/** Equal for arguments that say the same. */
function canonical(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value);
}
