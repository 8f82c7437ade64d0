/** A dialect that engines speak natively: passes the request through, and replaces the model name in the response. */
import { stringifyExact } from '../../kernel/exact-json.js';
import { findMembers, NotJsonObjectError } from '../../kernel/json-members.js';
import type { OpenMessage } from '../../link/messages.js';
import { TEXT_PLACEHOLDER, type EngineObject, type UsageReport } from '../engines/engine.js';
import type { Exchange, Repetition } from './exchange.js';
import { carriesOutput, splitLargeChunk } from './native-chunks.js';
import { countedUsage, readUsage } from './usage.js';

/** Limit of held chunks without output; beyond it they are sent. */
const MAX_HELD_CHUNKS = 64;
/** Larger events are split: clients and proxies have line limits, and other streams of the link must not wait. */
const SPLIT_ABOVE_CHARACTERS = 256 * 1024;

const DONE = 'data: [DONE]\n\n';
const streamOptionsKey: ReadonlySet<string> = new Set(['stream_options']);

/** Differences of the native dialects. */
export interface NativeGrammar {
  /** Begins the id of a response to which the engine gives none. */
  readonly idPrefix: string;
  /** `object` of a whole response, and of a chunk. */
  readonly wholeKind: string;
  readonly chunkKind: string;
}

export class NativeExchange implements Exchange, Repetition {
  readonly dropped: readonly string[] = [];
  private wantsUsage: boolean | undefined;
  private readonly held: EngineObject[] = [];
  private begun = false;
  private reported: UsageReport | null = null;
  private outputChunks = 0;

  constructor(
    readonly body: Buffer,
    private readonly head: OpenMessage,
    private readonly grammar: NativeGrammar,
    /** Adds what clients of the dialect need in the first chunk of a choice and engines leave out. */
    private readonly completeChunk?: (chunk: EngineObject) => void,
  ) {}

  get usage(): UsageReport | null {
    return this.reported ?? countedUsage(this.outputChunks);
  }

  events(batch: readonly EngineObject[]): Buffer | undefined {
    const ready = this.afterFirstOutput(batch);
    let text = '';
    for (const chunk of ready) text += this.eventsOf(chunk);
    return text === '' ? undefined : Buffer.from(text);
  }

  get repetition(): Repetition {
    return this;
  }

  around(like: EngineObject): readonly [before: string, after: string] {
    const chunk = { ...like };
    if (!this.forwardsUsage()) delete chunk['usage'];
    const text = `data: ${stringifyExact(this.underPublicName(chunk, this.grammar.chunkKind))}\n\n`;
    const at = text.indexOf(TEXT_PLACEHOLDER);
    return [text.slice(0, at), text.slice(at + TEXT_PLACEHOLDER.length)];
  }

  count(events: number): void {
    this.outputChunks += events;
  }

  lastEvents(): Buffer {
    let text = '';
    for (const chunk of this.held.splice(0)) text += this.eventsOf(chunk);
    return Buffer.from(text + DONE);
  }

  whole(response: EngineObject): Buffer {
    this.reported = readUsage(response['usage']);
    return Buffer.from(stringifyExact(this.underPublicName(response, this.grammar.wholeKind)));
  }

  /**
   * Roles and other preliminaries wait for the first output: until then a failure keeps its HTTP status, and another node may still
   * take over (docs/reference/request-lifecycle.md#phases).
   */
  private afterFirstOutput(batch: readonly EngineObject[]): readonly EngineObject[] {
    if (this.begun) return batch;
    this.held.push(...batch);
    // A response that breaks off before any output has used what its engine says all the same.
    for (const { usage } of batch) this.reported = readUsage(usage) ?? this.reported;
    if (this.held.length <= MAX_HELD_CHUNKS && !this.held.some(carriesOutput)) return [];
    this.begun = true;
    return this.held.splice(0);
  }

  private eventsOf(chunk: EngineObject): string {
    const usage = readUsage(chunk['usage']);
    if (usage !== null) this.reported = usage;
    const { choices } = chunk;
    if (!this.forwardsUsage()) {
      // Engines were asked for it in any case. A chunk of nothing else goes, a figure beside a delta is taken off.
      if (usage !== null && Array.isArray(choices) && choices.length === 0) return '';
      delete chunk['usage'];
    }
    if (carriesOutput(chunk)) this.outputChunks += 1;
    this.completeChunk?.(chunk);
    const text = stringifyExact(this.underPublicName(chunk, this.grammar.chunkKind));
    if (text.length <= SPLIT_ABOVE_CHARACTERS) return `data: ${text}\n\n`;
    return splitLargeChunk(chunk)
      .map((part) => `data: ${stringifyExact(part)}\n\n`)
      .join('');
  }

  /** Asked once, and late: it reads the whole body, which is better done while the engine is at work than before. */
  private forwardsUsage(): boolean {
    this.wantsUsage ??= requestsUsage(this.body);
    return this.wantsUsage;
  }

  /** Engines answer with a path or an alias of their own; some leave out what every client reads. */
  private underPublicName(object: EngineObject, kind: string): EngineObject {
    object['id'] ??= `${this.grammar.idPrefix}${this.head.request_id}`;
    object['object'] ??= kind;
    object['created'] ??= Math.floor(Date.now() / 1_000);
    object['model'] = this.head.public_model;
    return object;
  }
}

function requestsUsage(body: Buffer): boolean {
  try {
    // The last of repeated keys counts, as it does for the relay's own parser.
    const options = findMembers(body, streamOptionsKey).members.at(-1);
    if (options === undefined) return false;
    const value: unknown = JSON.parse(body.toString('utf8', options.start, options.end));
    return typeof value === 'object' && value !== null && 'include_usage' in value && value.include_usage === true;
  } catch (error) {
    // The engine has accepted the malformed JSON; usage is then not forwarded.
    if (error instanceof NotJsonObjectError || error instanceof SyntaxError) return false;
    throw error;
  }
}
