/** The node's operation manager with fake engines and a manual clock. */
import { BehaviorSubject } from 'rxjs';
import { ManualClock } from '../clock/manual-clock.js';
import { settled } from '../clock/settled.js';
import type { ModelState } from '../../../src/kernel/dialect.js';
import type { CommandMessage, ProgressMessage, ResultMessage } from '../../../src/link/messages.js';
import type { EngineManagement, LoadOptions, OperationContext } from '../../../src/agent/engines/engine-management.js';
import type { OperableEngine, OperableEngines, OperableModel } from '../../../src/agent/operations/operable-engines.js';
import type { OperationOutlet } from '../../../src/agent/operations/operation-sender.js';
import { OperationManager } from '../../../src/agent/operations/operation-manager.js';
import type { RememberedOperations } from '../../../src/agent/operations/operations-file.js';

type Command<Verb extends CommandMessage['verb']> = Extract<CommandMessage, { readonly verb: Verb }>;

export const operationId = (number: number): string => `op_${number.toString(16).padStart(32, '0')}`;

export const loadOf = (number: number, model = 'tiny', contextTokens: number | null = null): Command<'load'> => ({
  verb: 'load',
  operation_id: operationId(number),
  model_key: `fake/${model}`,
  context_tokens: contextTokens,
});

export const unloadOf = (number: number, model = 'tiny'): Command<'unload'> => ({
  verb: 'unload',
  operation_id: operationId(number),
  model_key: `fake/${model}`,
});

export const removeOf = (number: number, model = 'tiny'): Command<'remove'> => ({
  verb: 'remove',
  operation_id: operationId(number),
  model_key: `fake/${model}`,
});

export const installOf = (number: number, source: string, engine: string | null = null): Command<'install'> => ({
  verb: 'install',
  operation_id: operationId(number),
  engine,
  source,
});

export const cancelOf = (number: number): CommandMessage => ({ verb: 'cancel', operation_id: operationId(number) });

/** A running operation of a fake engine; the test decides how it ends. */
export class EngineJob {
  readonly done: Promise<string>;
  readonly finish: (installed?: string) => Promise<void>;
  readonly fail: (error: unknown) => Promise<void>;

  constructor(
    readonly engine: string,
    readonly call: string,
    readonly context: OperationContext,
    readonly options: LoadOptions | undefined,
  ) {
    let succeed: (installed: string) => void = () => undefined;
    let reject: (error: unknown) => void = () => undefined;
    this.done = new Promise((resolve, refuse) => {
      succeed = resolve;
      reject = refuse;
    });
    this.finish = async (installed = '') => {
      succeed(installed);
      return settled();
    };
    this.fail = async (error) => {
      reject(error);
      return settled();
    };
  }

  get aborted(): boolean {
    return this.context.signal.aborted;
  }

  async report(phase: string, completedBytes: number | null = null, totalBytes: number | null = null): Promise<void> {
    this.context.report({ phase, completedBytes, totalBytes });
    return settled();
  }
}

export class FakeEngines implements OperableEngines {
  readonly engines: OperableEngine[] = [];
  readonly operations: EngineJob[] = [];
  readonly models$ = new BehaviorSubject<undefined>(undefined);
  private readonly models = new Map<string, OperableModel>();

  find(key: string): OperableModel | undefined {
    return this.models.get(key);
  }

  /** @param verbs the operations that it supports; all by default */
  addEngine(name: string, kind = name, verbs: readonly string[] = ['install', 'load', 'unload', 'remove']): void {
    const begin = async (call: string, context: OperationContext, options?: LoadOptions): Promise<string> => {
      const operation = new EngineJob(name, call, context, options);
      this.operations.push(operation);
      return operation.done;
    };
    const all: EngineManagement = {
      install: async (source, context) => begin(`install ${source}`, context),
      load: async (model, options, context) => {
        await begin(`load ${model}`, context, options);
      },
      unload: async (model, context) => {
        await begin(`unload ${model}`, context);
      },
      remove: async (model, context) => {
        await begin(`remove ${model}`, context);
      },
    };
    const management = Object.fromEntries(Object.entries(all).filter(([verb]) => verbs.includes(verb)));
    this.engines.push({ name, kind, management });
    this.models$.next(undefined);
  }

  setModel(name: string, state: ModelState, engineName = 'fake', contextTokens: number | null = null): void {
    const engine = this.engines.find((candidate) => candidate.name === engineName);
    if (engine === undefined) throw new Error(`no engine ${engineName}`);
    this.models.set(`${engineName}/${name}`, {
      engine,
      report: { engine_model: name, state, context_length: contextTokens },
    });
    this.models$.next(undefined);
  }

  /** The most recent operation of this kind. */
  operation(call: string): EngineJob {
    const found = this.operations.findLast((operation) => operation.call === call);
    if (found === undefined) throw new Error(`no engine received "${call}"; received: ${this.calls().join(', ')}`);
    return found;
  }

  calls(): string[] {
    return this.operations.map(({ call }) => call);
  }
}

/** A link that records what is sent. */
export class RecordingOutlet implements OperationOutlet {
  private readonly lines: string[] = [];
  /** The error of the last failed operation, as the owner sees it. */
  lastFailure: string | undefined;

  sendProgress({ operation_id, state, phase, completed_bytes: completed, total_bytes: total }: ProgressMessage): void {
    const bytes = completed === null ? '' : ` ${completed}/${total ?? '?'}`;
    this.lines.push(`${short(operation_id)} ${state}: ${phase}${bytes}`);
  }

  sendResult({ operation_id, outcome, failure, model_key: key }: ResultMessage): void {
    this.lastFailure = failure?.message;
    this.lines.push([short(operation_id), outcome, failure?.code, key].filter((part) => part != null).join(' '));
  }

  /** Records since the last call. */
  said(): string[] {
    return this.lines.splice(0);
  }
}

const short = (id: string): string => String(Number.parseInt(id.slice(3), 16));

/** The operations file, in memory. */
export class MemoryFile {
  private remembered: (() => RememberedOperations) | undefined;
  private closed = false;

  constructor(public text = '{"live":[],"finished":[]}') {}

  async read(): Promise<RememberedOperations> {
    return Promise.resolve(JSON.parse(this.text) as RememberedOperations);
  }

  save(remembered: () => RememberedOperations): void {
    if (this.closed) return;
    this.remembered = remembered;
    this.text = JSON.stringify(remembered());
  }

  /** What the manager would write now. `text` is what a crash at this moment would leave. */
  get current(): RememberedOperations | undefined {
    return this.remembered?.();
  }

  async close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}

export interface OperationsHarnessOptions {
  readonly clock?: ManualClock;
  readonly file?: MemoryFile;
  readonly engines?: FakeEngines;
}

export class OperationsHarness {
  readonly clock: ManualClock;
  readonly engines: FakeEngines;
  readonly file: MemoryFile;
  readonly outlet = new RecordingOutlet();
  readonly logged: string[] = [];
  readonly unexpected: unknown[] = [];
  readonly operations: OperationManager;

  constructor({ clock, file, engines }: OperationsHarnessOptions = {}) {
    this.clock = clock ?? new ManualClock();
    this.file = file ?? new MemoryFile();
    this.engines = engines ?? new FakeEngines();
    const logged = (details: object, message: string): void => {
      this.logged.push(`${message} ${JSON.stringify(details)}`);
    };
    this.operations = new OperationManager({
      engines: this.engines,
      file: this.file,
      clock: this.clock,
      timers: this.clock,
      log: { info: logged, warn: logged },
      onUnexpected: (error) => this.unexpected.push(error),
    });
  }

  /** A running node with a link and one engine, which has `tiny` and `small`. */
  static async running(): Promise<OperationsHarness> {
    const harness = new OperationsHarness();
    harness.engines.addEngine('fake');
    harness.engines.setModel('tiny', 'installed');
    harness.engines.setModel('small', 'installed');
    await harness.operations.start();
    await harness.clock.advanceAndSettle(3_600_000);
    harness.operations.attach(harness.outlet);
    return harness;
  }

  async take(...commands: CommandMessage[]): Promise<void> {
    for (const command of commands) this.operations.take(command);
    return settled();
  }
}
