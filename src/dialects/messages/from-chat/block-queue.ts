/**
 * Content blocks of a stream, one open at a time. Engines interleave calls and text; content of a later block is queued until the earlier
 * ones are closed, so that clients receive each block as a whole.
 */
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { textParts } from '../../text-parts.js';
import type { CallArguments } from './call-arguments.js';
import type { CallIds } from './call-ids.js';
import { MODEL_ITSELF, THINKING_SIGNATURE, type BlockDelta, type ContentBlock, type MessageEvent } from './message.js';

/** Limit of queued UTF-16 units: as much as one engine event may have. */
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024;

/** A tool call, as received so far. */
export interface StreamedCall {
  /** The engine's id, or empty. Engines may give one id to several calls. */
  id: string;
  /** Empty until known. */
  name: string;
  readonly arguments: CallArguments;
}

interface Block {
  readonly kind: 'text' | 'thinking' | 'tool_use';
  readonly call: StreamedCall | null;
  /** Queued content. */
  waiting: string;
}

export class BlockQueue {
  /** In order of first appearance; only the first can be open. */
  private readonly blocks: Block[] = [];
  private firstIsOpen = false;
  private firstSaidAnything = false;
  /** The index of the first block in the queue. */
  private index = 0;
  private waitingCharacters = 0;
  /** True once a call was passed on. */
  calledTools = false;

  constructor(
    private readonly ids: CallIds,
    private readonly emit: (event: MessageEvent) => void,
  ) {}

  /** @throws FerryError `engine_error` when too much waits */
  addText(kind: 'text' | 'thinking', text: string): void {
    if (text === '') return;
    let block = this.blocks.at(-1);
    if (block?.kind !== kind) {
      block = { kind, call: null, waiting: '' };
      this.blocks.push(block);
    }
    this.add(block, text);
  }

  /** Adds the call to the blocks. */
  beginCall(call: StreamedCall): void {
    this.blocks.push({ kind: 'tool_use', call, waiting: '' });
  }

  /**
   * The name of the call is known, or its arguments have grown.
   * @throws FerryError `engine_error` when too much waits
   */
  addToCall(call: StreamedCall, text: string): void {
    const block = this.blocks.find((candidate) => candidate.call === call);
    // Its block was closed with complete arguments.
    if (block !== undefined) this.add(block, text);
  }

  /** The stream has ended. */
  close(): void {
    for (let first = this.blocks[0]; first !== undefined; first = this.blocks[0]) {
      if (this.isNameless(first)) {
        this.blocks.shift();
        continue;
      }
      this.open(first);
      this.closeFirst(first);
    }
  }

  private add(block: Block, text: string): void {
    if (block === this.blocks[0] && this.firstIsOpen) this.say(block, text);
    else this.wait(block, text);
    this.advance();
  }

  private wait(block: Block, text: string): void {
    this.waitingCharacters += text.length;
    if (this.waitingCharacters > MAX_WAITING_CHARACTERS) {
      throw new FerryError('engine_error', 'The engine sent too much before it finished a tool call.');
    }
    block.waiting += text;
  }

  /** Opens the first block, and closes it once another one is queued and it is complete. */
  private advance(): void {
    for (let first = this.blocks[0]; first !== undefined; first = this.blocks[0]) {
      if (this.isNameless(first)) return;
      this.open(first);
      if (this.blocks.length === 1 || first.call?.arguments.over === false) return;
      this.closeFirst(first);
    }
  }

  private open(first: Block): void {
    if (this.firstIsOpen) return;
    this.firstIsOpen = true;
    this.firstSaidAnything = false;
    this.emit({ type: 'content_block_start', index: this.index, content_block: this.contentOf(first) });
    const { waiting } = first;
    this.waitingCharacters -= waiting.length;
    first.waiting = '';
    this.say(first, waiting);
  }

  private contentOf({ kind, call }: Block): ContentBlock {
    if (call !== null) {
      this.calledTools = true;
      return { type: 'tool_use', id: this.ids.idFor(call.id), name: call.name, input: {}, caller: MODEL_ITSELF };
    }
    return kind === 'thinking' ? { type: 'thinking', thinking: '', signature: '' } : { type: 'text', text: '' };
  }

  private say(block: Block, text: string): void {
    for (const part of textParts(text)) {
      this.firstSaidAnything = true;
      this.emit({ type: 'content_block_delta', index: this.index, delta: deltaOf(block, part) });
    }
  }

  private closeFirst(first: Block): void {
    // Clients parse the joined fragments, and not all accept an empty text as an empty object.
    if (first.kind === 'tool_use' && !this.firstSaidAnything) this.say(first, '{}');
    if (first.kind === 'thinking') {
      const delta = { type: 'signature_delta', signature: THINKING_SIGNATURE } as const;
      this.emit({ type: 'content_block_delta', index: this.index, delta });
    }
    this.emit({ type: 'content_block_stop', index: this.index });
    this.blocks.shift();
    this.firstIsOpen = false;
    this.index += 1;
  }

  /** A call cannot be started without its name. */
  private isNameless({ call }: Block): boolean {
    return call?.name === '';
  }
}

function deltaOf({ kind }: Block, text: string): BlockDelta {
  switch (kind) {
    case 'text':
      return { type: 'text_delta', text };
    case 'thinking':
      return { type: 'thinking_delta', thinking: text };
    case 'tool_use':
      return { type: 'input_json_delta', partial_json: text };
    default:
      return kind satisfies never;
  }
}
