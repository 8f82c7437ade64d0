/** Reads and changes top-level fields of a client's request for an engine. Every other byte is kept. */
import { parseExactOrNothing, stringifyExact } from '../../../kernel/exact-json.js';
import { applySplices, findMembers, NotJsonObjectError, type JsonObjectBounds } from '../../../kernel/json-members.js';

/** Fields that an engine ignores, each with a test for values that would have an effect. */
export type IgnoredFields = Readonly<Record<string, (value: unknown) => boolean>>;

export const moreThanOne = (value: unknown): boolean => typeof value === 'number' && value > 1;
export const isTrue = (value: unknown): boolean => value === true;
export const isFalse = (value: unknown): boolean => value === false;

export class RequestFields {
  private readonly bounds: JsonObjectBounds | undefined;
  private readonly replaced = new Map<string, string>();
  /** The part of `replaced` that is added where the client has not set it. */
  private readonly added = new Set<string>();
  private readonly lost = new Set<string>();

  /** @param names of all fields that will be used; a body that is not a JSON object has none */
  constructor(
    private readonly body: Buffer,
    names: ReadonlySet<string>,
  ) {
    this.bounds = boundsIn(body, names);
  }

  /** Undefined when the field is absent or null. Of a repeated one the last counts, as for the relay. */
  value(name: string): unknown {
    const member = this.bounds?.members.findLast(({ key }) => key === name);
    if (member === undefined) return undefined;
    const text = this.replaced.get(name) ?? this.body.toString('utf8', member.start, member.end);
    return parseExactOrNothing(text) ?? undefined;
  }

  /** Has no effect on a field that is absent. */
  replace(name: string, value: unknown): void {
    this.replaced.set(name, stringifyExact(value));
  }

  /** Sets the field. A body that is not a JSON object is unchanged. */
  set(name: string, value: unknown): void {
    this.replaced.set(name, stringifyExact(value));
    this.added.add(name);
  }

  /** Removes the field. */
  remove(name: string): void {
    this.replaced.set(name, 'null');
  }

  /**
   * Reports the field to the client as dropped (docs/reference/translation.md#rejected-and-dropped-fields).
   */
  reportDropped(name: string): void {
    this.lost.add(name);
  }

  reportIgnored(ignored: IgnoredFields): void {
    for (const [name, matters] of Object.entries(ignored)) if (matters(this.value(name))) this.reportDropped(name);
  }

  get dropped(): readonly string[] {
    return [...this.lost];
  }

  /** The client's buffer if nothing was replaced. */
  changedBody(): Buffer {
    if (this.bounds === undefined) return this.body;
    const { members, inside, empty } = this.bounds;
    const splices = members.flatMap(({ key, start, end }) => {
      const text = this.replaced.get(key);
      return text === undefined ? [] : [{ start, end, text }];
    });
    const missing = [...this.added].filter((name) => !members.some(({ key }) => key === name));
    if (missing.length > 0) {
      const text = missing.map((name) => `${JSON.stringify(name)}:${this.replaced.get(name) ?? 'null'}`).join(',');
      splices.push({ start: inside, end: inside, text: empty ? text : `${text},` });
    }
    return splices.length === 0 ? this.body : Buffer.concat(applySplices(this.body, splices));
  }
}

/** Behind a byte order mark, which is taken away later, by the rewriting that every engine's requests go through. */
export const beginningOf = (body: Buffer): number => (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0);

function boundsIn(body: Buffer, names: ReadonlySet<string>): JsonObjectBounds | undefined {
  try {
    return findMembers(body, names, beginningOf(body));
  } catch (error) {
    // Refused with a 400 by the same rewriting.
    if (error instanceof NotJsonObjectError) return undefined;
    throw error;
  }
}
