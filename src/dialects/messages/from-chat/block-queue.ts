/**
 * Content blocks of a stream, one open at a time. Engines mix their calls and come back to text; whatever belongs to a later block waits
 * until the earlier ones are closed, so that clients read every block from its start to its stop.
 */
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { textParts } from '../../text-parts.js';
import type { CallArguments } from './call-arguments.js';
import type { CallIds } from './call-ids.js';
import { THINKING_SIGNATURE, type BlockDelta, type ContentBlock, type MessageEvent } from './message.js';

/** What may wait behind an unfinished call, of UTF-16: as much as one engine event may carry. */
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024;

/** A tool call of the engine, as far as it has told. */
export interface StreamedCall {
  /** The engine's id, or empty; engines give one id to several calls. */
  id: string;
  /** Empty until the engine tells it. */
  name: string;
  readonly arguments: CallArguments;
}

interface Block {
  readonly kind: 'text' | 'thinking' | 'tool_use';
  readonly call: StreamedCall | null;
  /** Came before its turn. */
  waiting: string;
}

export class BlockQueue {
  /** In the order of their first appearance; only the first one can be open. */
  private readonly blocks: Block[] = [];
  private firstIsOpen = false;
  private firstSaidAnything = false;
  /** Of the first block. */
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

  /** From here on the call has its place among the blocks. */
  beginCall(call: StreamedCall): void {
    this.blocks.push({ kind: 'tool_use', call, waiting: '' });
  }

  /**
   * The call has a name now, or this was added to its arguments.
   * @throws FerryError `engine_error` when too much waits
   */
  addToCall(call: StreamedCall, text: string): void {
    const block = this.blocks.find((candidate) => candidate.call === call);
    // Its arguments were complete, and its block was closed.
    if (block !== undefined) this.add(block, text);
  }

  /** Nothing more will come. */
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

  /** Opens the first block, and closes it once another one waits and nothing of it can still come. */
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
      return { type: 'tool_use', id: this.ids.idFor(call.id), name: call.name, input: {} };
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
    // Clients parse what they have joined, and not all of them take nothing for an empty object.
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

  /** A call cannot be announced, or run, without its name. */
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
