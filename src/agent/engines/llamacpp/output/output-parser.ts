import { CallParser } from './call-parser.js';
import type { CallSyntax } from './call-syntax.js';
import type { OutputEvent } from './output-event.js';
import type { ReasoningMarkers } from './reasoning-markers.js';
import { TextScanner } from './text-scanner.js';

export interface OutputParserOptions {
  readonly reasoning?: ReasoningMarkers | undefined;
  /** Whether the prompt ends inside the reasoning block. */
  readonly startsInReasoning: boolean;
  /** Absent when the request has no tools. */
  readonly calls?: CallSyntax | undefined;
  readonly stopTexts: readonly string[];
}

/**
 * The parser stops where the grammar may change: at the start of tool calls and at the end of reasoning. `excess` is the unread text after
 * it.
 */
export interface Boundary {
  readonly kind: 'calls' | 'reasoning-end';
  readonly excess: string;
}

interface OutputStep {
  readonly events: readonly OutputEvent[];
  /** The stop text that ended the response. */
  readonly stopText?: string;
  readonly boundary?: Boundary;
}

type State = 'start' | 'reasoning' | 'content' | 'calls';

/**
 * Incremental parser that splits a response into reasoning, content and tool calls. Stop texts apply to content only, not to reasoning and
 * calls.
 */
export class OutputParser {
  private state: State;
  private pending = '';
  /** Whitespace around reasoning is part of the template and dropped. */
  private atBlockStart = true;
  private afterReasoning = false;
  private heldWhitespace = '';
  private readonly contentScanner: TextScanner;
  private readonly reasoningScanner: TextScanner;
  private calls: CallParser | undefined;

  constructor(private readonly options: OutputParserOptions) {
    this.state = options.startsInReasoning ? 'reasoning' : 'start';
    const { calls } = options;
    const trigger = calls === undefined || calls.onlyAtStart ? [] : [calls.trigger];
    this.contentScanner = new TextScanner([...options.stopTexts, ...trigger]);
    this.reasoningScanner = new TextScanner(options.reasoning === undefined ? [] : [options.reasoning.close]);
  }

  get inReasoning(): boolean {
    return this.state === 'reasoning';
  }

  /** Whether the text so far may still become reasoning or a response. */
  get undecided(): boolean {
    return this.state === 'start';
  }

  get completeCalls(): number {
    return this.calls?.completeCalls ?? 0;
  }

  push(text: string): OutputStep {
    switch (this.state) {
      case 'start':
        return this.start(text);
      case 'reasoning':
        return this.reason(text);
      case 'content':
        return this.content(text);
      case 'calls':
        return { events: this.calls?.push(text) ?? [] };
      default:
        return this.state satisfies never;
    }
  }

  /** The text has ended. */
  flush(): readonly OutputEvent[] {
    if (this.state === 'start') {
      this.state = 'content';
      return this.contentEvents(this.pending + this.contentScanner.flush());
    }
    if (this.state === 'content') return this.contentEvents(this.contentScanner.flush());
    if (this.state === 'reasoning') return this.reasoningEvents(this.reasoningScanner.flush(), false);
    return [];
  }

  /** The first characters decide between reasoning, a call without a marker, and content. */
  private start(text: string): OutputStep {
    this.pending += text;
    const trimmed = this.pending.trimStart();
    const open = this.afterReasoning ? undefined : this.options.reasoning?.open;
    const calls = this.options.calls?.onlyAtStart === true ? this.options.calls : undefined;
    if (open !== undefined && trimmed.startsWith(open)) {
      this.pending = '';
      this.state = 'reasoning';
      return this.reason(trimmed.slice(open.length));
    }
    if (calls !== undefined && trimmed.startsWith(calls.trigger)) {
      this.pending = '';
      return this.beginCalls(calls, trimmed.slice(calls.trigger.length), []);
    }
    if (open?.startsWith(trimmed) === true || calls?.trigger.startsWith(trimmed) === true) return { events: [] };
    this.state = 'content';
    const { pending } = this;
    this.pending = '';
    return this.content(pending);
  }

  private reason(text: string): OutputStep {
    const { text: safe, hit } = this.reasoningScanner.push(text);
    const events = this.reasoningEvents(safe, hit !== undefined);
    if (hit === undefined) return { events };
    this.state = 'start';
    this.afterReasoning = true;
    return { events, boundary: { kind: 'reasoning-end', excess: hit.rest } };
  }

  private content(text: string): OutputStep {
    const { text: safe, hit } = this.contentScanner.push(text);
    const events = this.contentEvents(safe);
    if (hit === undefined) return { events };
    const { calls } = this.options;
    if (calls !== undefined && hit.needle === calls.trigger) return this.beginCalls(calls, hit.rest, events);
    return { events, stopText: hit.needle };
  }

  private beginCalls(syntax: CallSyntax, excess: string, events: readonly OutputEvent[]): OutputStep {
    this.state = 'calls';
    this.calls = new CallParser(syntax, syntax.prefix.slice(syntax.trigger.length));
    return { events, boundary: { kind: 'calls', excess } };
  }

  private contentEvents(text: string): readonly OutputEvent[] {
    const shown = this.afterReasoning ? text.trimStart() : text;
    if (shown === '') return [];
    this.afterReasoning = false;
    return [{ kind: 'content', text: shown }];
  }

  private reasoningEvents(text: string, ends: boolean): readonly OutputEvent[] {
    const all = this.heldWhitespace + text;
    const body = all.trimEnd();
    this.heldWhitespace = ends ? '' : all.slice(body.length);
    const shown = this.atBlockStart ? body.trimStart() : body;
    if (shown === '') return [];
    this.atBlockStart = false;
    return [{ kind: 'reasoning', text: shown }];
  }
}
