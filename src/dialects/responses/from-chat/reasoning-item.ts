import { textParts } from '../../text-parts.js';
import type { ClosedStatus, ItemStatus, ReasoningOutput } from '../items.js';
import { packReasoning } from '../reasoning-replay.js';
import type { EventSink } from './event-log.js';
import type { OpenItem } from './open-item.js';

/**
 * The model's reasoning as a summary, the only form that all clients accept
 * (docs/reference/translation.md#chat-answer-to-a-response).
 */
export class ReasoningItem implements OpenItem {
  private text = '';
  private readonly place: { item_id: string; output_index: number; summary_index: number };

  /** @param packed whether the client requested `encrypted_content` */
  constructor(
    private readonly log: EventSink,
    private readonly id: string,
    readonly outputIndex: number,
    private readonly packed: boolean,
  ) {
    this.place = { item_id: id, output_index: outputIndex, summary_index: 0 };
    log.emit('response.output_item.added', { output_index: outputIndex, item: { type: 'reasoning', id, summary: [] } });
    log.emit('response.reasoning_summary_part.added', { ...this.place, part: summaryPart('') });
  }

  append(text: string): void {
    this.text += text;
    for (const delta of textParts(text)) {
      this.log.emit('response.reasoning_summary_text.delta', { ...this.place, delta });
    }
  }

  close(status: ClosedStatus): void {
    const { log, place, text } = this;
    log.emit('response.reasoning_summary_text.done', { ...place, text });
    log.emit('response.reasoning_summary_part.done', { ...place, part: summaryPart(text) });
    log.emit('response.output_item.done', { output_index: this.outputIndex, item: this.item(status) });
  }

  item(status: ItemStatus): ReasoningOutput {
    return {
      type: 'reasoning',
      id: this.id,
      summary: [summaryPart(this.text)],
      ...(this.packed && { encrypted_content: packReasoning(this.text) }),
      ...(status === 'incomplete' && { status }),
    };
  }
}

const summaryPart = (text: string) => ({ type: 'summary_text', text }) as const;
