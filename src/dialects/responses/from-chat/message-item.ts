import { textParts } from '../../text-parts.js';
import type { ClosedStatus, ItemStatus, MessageOutput, PositionLogprobs, RefusalPart, TextPart } from '../items.js';
import type { EventSink } from './event-log.js';
import type { OpenItem } from './open-item.js';

/** The message item: parts of text and refusals, of which the last is open. */
export class MessageItem implements OpenItem {
  private readonly closed: (TextPart | RefusalPart)[] = [];
  private open: OpenPart | null = null;

  constructor(
    private readonly log: EventSink,
    private readonly id: string,
    readonly outputIndex: number,
  ) {
    log.emit('response.output_item.added', {
      output_index: outputIndex,
      item: { type: 'message', id, status: 'in_progress', role: 'assistant', content: [] },
    });
  }

  /** Adds an empty part to an empty message, because some clients read the first part unchecked. */
  say(text: string, logprobs: readonly PositionLogprobs[]): void {
    this.part('output_text').append(text, logprobs);
  }

  refuse(text: string): void {
    this.part('refusal').append(text, []);
  }

  close(status: ClosedStatus): void {
    this.closePart();
    this.log.emit('response.output_item.done', { output_index: this.outputIndex, item: this.item(status) });
  }

  item(status: ItemStatus): MessageOutput {
    const content = this.open === null ? [...this.closed] : [...this.closed, this.open.part()];
    return { type: 'message', id: this.id, status, role: 'assistant', content };
  }

  private part(kind: OpenPart['kind']): OpenPart {
    if (this.open?.kind === kind) return this.open;
    this.closePart();
    const place = { item_id: this.id, output_index: this.outputIndex, content_index: this.closed.length };
    this.open = new OpenPart(this.log, kind, place);
    return this.open;
  }

  private closePart(): void {
    if (this.open === null) return;
    this.closed.push(this.open.close());
    this.open = null;
  }
}

class OpenPart {
  private text = '';
  private readonly logprobs: PositionLogprobs[] = [];

  constructor(
    private readonly log: EventSink,
    readonly kind: 'output_text' | 'refusal',
    private readonly place: { item_id: string; output_index: number; content_index: number },
  ) {
    log.emit('response.content_part.added', { ...place, part: this.part() });
  }

  /** The log probabilities are in the first of several events. */
  append(text: string, logprobs: readonly PositionLogprobs[]): void {
    this.text += text;
    this.logprobs.push(...logprobs);
    textParts(text).forEach((delta, index) => {
      if (this.kind === 'refusal') this.log.emit('response.refusal.delta', { ...this.place, delta });
      else {
        this.log.emit('response.output_text.delta', {
          ...this.place,
          delta,
          logprobs: index === 0 ? logprobs : [],
        });
      }
    });
  }

  close(): TextPart | RefusalPart {
    const { log, place, text, logprobs } = this;
    const part = this.part();
    if (this.kind === 'refusal') log.emit('response.refusal.done', { ...place, refusal: text });
    else log.emit('response.output_text.done', { ...place, text, logprobs });
    log.emit('response.content_part.done', { ...place, part });
    return part;
  }

  part(): TextPart | RefusalPart {
    return this.kind === 'refusal'
      ? { type: 'refusal', refusal: this.text }
      : { type: 'output_text', text: this.text, annotations: [], logprobs: [...this.logprobs] };
  }
}
