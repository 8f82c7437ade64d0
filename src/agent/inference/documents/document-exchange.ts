/** A request without generated text: the engine's JSON document goes to the client with the name of the model replaced. */
import { applySplices, findElements, findMembers, NotJsonObjectError } from '../../../kernel/json-members.js';
import { parseJson } from '../../../kernel/json-object.js';
import type { OpenMessage } from '../../../link/messages.js';
import type { UsageReport } from '../../engines/engine.js';
import { engineError } from '../../engines/failures/failures.js';
import type { Exchange } from '../exchange.js';
import { documentUsage } from '../usage.js';

const NOTHING = Buffer.alloc(0);
const envelopeKeys: ReadonlySet<string> = new Set(['model', 'usage']);

export abstract class DocumentExchange implements Exchange {
  readonly dropped: readonly string[] = [];
  private reported: UsageReport | null = null;

  constructor(
    readonly body: Buffer,
    private readonly head: OpenMessage,
  ) {}

  get usage(): UsageReport | null {
    return this.reported;
  }

  document(bytes: Buffer): Buffer {
    try {
      return this.underPublicName(this.checked(bytes));
    } catch (error) {
      if (!(error instanceof NotJsonObjectError)) throw error;
      throw engineError('The engine responded with malformed JSON.', error);
    }
  }

  /** @returns the document, possibly corrected. @throws EngineFailure where it is not what was asked for · NotJsonObjectError */
  protected abstract checked(bytes: Buffer): Buffer;

  /** No document comes in events. */
  events(): undefined {
    return undefined;
  }

  lastEvents(): Buffer {
    return NOTHING;
  }

  whole(): Buffer {
    throw engineError('The engine responded with generated text.');
  }

  private underPublicName(bytes: Buffer): Buffer {
    const { members, inside, empty } = findMembers(bytes, envelopeKeys);
    const usage = members.findLast(({ key }) => key === 'usage');
    if (usage !== undefined) this.reported = documentUsage(parseJson(bytes.toString('utf8', usage.start, usage.end)));
    const text = JSON.stringify(this.head.public_model);
    const models = members.filter(({ key }) => key === 'model').map(({ start, end }) => ({ start, end, text }));
    if (models.length === 0) models.push({ start: inside, end: inside, text: `"model":${text}${empty ? '' : ','}` });
    return Buffer.concat(applySplices(bytes, models));
  }
}

const OPEN_BRACKET = 0x5b;

/** How many elements the last list of that name has; undefined where it is no list. */
export function countIn(body: Buffer, name: string): number | undefined {
  const member = findMembers(body, new Set([name])).members.at(-1);
  return member === undefined || body[member.start] !== OPEN_BRACKET
    ? undefined
    : findElements(body, member.start).length;
}
