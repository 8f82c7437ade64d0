import { inputOf } from './from-chat.js';
import type { ContentBlock, MessageEvent } from './message.js';

/** Collects the content of a streamed response, as a later request repeats it. */
export class ResponseContent {
  private readonly closed: ContentBlock[] = [];
  private open: ContentBlock | null = null;
  /** Deltas of the open block. */
  private text = '';
  private signature = '';

  /** Includes only blocks that were closed. */
  get blocks(): readonly ContentBlock[] {
    return this.closed;
  }

  take(events: readonly MessageEvent[]): void {
    for (const event of events) {
      if (event.type === 'content_block_start') this.begin(event.content_block);
      else if (event.type === 'content_block_delta') this.add(event.delta);
      else if (event.type === 'content_block_stop') this.close();
    }
  }

  private begin(block: ContentBlock): void {
    this.open = block;
    this.text = '';
    this.signature = '';
  }

  private add(delta: Extract<MessageEvent, { type: 'content_block_delta' }>['delta']): void {
    switch (delta.type) {
      case 'text_delta':
        this.text += delta.text;
        return;
      case 'thinking_delta':
        this.text += delta.thinking;
        return;
      case 'signature_delta':
        this.signature += delta.signature;
        return;
      case 'input_json_delta':
        this.text += delta.partial_json;
        return;
      default:
        delta satisfies never;
    }
  }

  private close(): void {
    const { open: block, text, signature } = this;
    this.open = null;
    if (block === null) return;
    switch (block.type) {
      case 'text':
        this.closed.push({ ...block, text });
        return;
      case 'thinking':
        this.closed.push({ ...block, thinking: text, signature });
        return;
      case 'tool_use':
        this.closed.push({ ...block, input: inputOf(text) });
        return;
      default:
        block satisfies never;
    }
  }
}
