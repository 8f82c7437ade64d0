/**
 * Items of tool calls. Several may be open at once, because engines interleave them
 * (docs/reference/translation.md#chat-stream-to-a-responses-stream).
 */
import { textParts } from '../../text-parts.js';
import type { ClosedStatus, CustomCallOutput, FunctionCallOutput, ItemStatus } from '../items.js';
import type { EventSink } from './event-log.js';
import { InputText } from './input-text.js';
import type { OpenItem } from './open-item.js';

/** The tool as the client declared it. */
export interface Called {
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface OpenCall extends OpenItem {
  /** Takes the next fragment of the arguments. */
  append(text: string): void;
}

export class FunctionCallItem implements OpenCall {
  private arguments = '';

  constructor(
    private readonly log: EventSink,
    private readonly called: Called,
    readonly outputIndex: number,
  ) {
    log.emit('response.output_item.added', { output_index: outputIndex, item: this.item('in_progress') });
  }

  append(text: string): void {
    this.arguments += text;
    for (const delta of textParts(text)) {
      this.log.emit('response.function_call_arguments.delta', { ...this.place, delta });
    }
  }

  close(status: ClosedStatus): void {
    // An empty object, which clients can parse; not for a call that was truncated before its arguments.
    if (this.arguments.trim() === '' && status === 'completed') this.append('{}');
    const { arguments: text } = this;
    this.log.emit('response.function_call_arguments.done', { ...this.place, name: this.called.name, arguments: text });
    this.log.emit('response.output_item.done', { output_index: this.outputIndex, item: this.item(status) });
  }

  item(status: ItemStatus): FunctionCallOutput {
    return { type: 'function_call', ...this.called, arguments: this.arguments, status };
  }

  private get place(): { item_id: string; output_index: number } {
    return { item_id: this.called.id, output_index: this.outputIndex };
  }
}

/** A call with free text as input, which the engine wrote as the only argument of a function. */
export class CustomCallItem implements OpenCall {
  private readonly input = new InputText();

  constructor(
    private readonly log: EventSink,
    private readonly called: Called,
    readonly outputIndex: number,
  ) {
    log.emit('response.output_item.added', { output_index: outputIndex, item: this.item('in_progress') });
  }

  append(text: string): void {
    this.emit(this.input.push(text));
  }

  close(status: ClosedStatus): void {
    this.emit(this.input.end());
    this.log.emit('response.custom_tool_call_input.done', { ...this.place, input: this.input.text });
    this.log.emit('response.output_item.done', { output_index: this.outputIndex, item: this.item(status) });
  }

  item(status: ItemStatus): CustomCallOutput {
    return { type: 'custom_tool_call', ...this.called, input: this.input.text, status };
  }

  private emit(text: string): void {
    for (const delta of textParts(text)) {
      this.log.emit('response.custom_tool_call_input.delta', { ...this.place, delta });
    }
  }

  private get place(): { item_id: string; output_index: number } {
    return { item_id: this.called.id, output_index: this.outputIndex };
  }
}
