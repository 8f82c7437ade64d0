/** A computer with its own home, data directory and engine, whose person types into a terminal of 80 × 24 characters (tmux). */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createComputer, type Computer } from '../../../scripts/first-hour/computers.js';
import { TerminalWindow } from '../../../scripts/first-hour/terminal-window.js';
import { removeLater } from '../process/at-exit.js';
import { ferry, repositoryRoot } from '../process/ferry-process.js';

const COLUMNS = 80;
const ENDS_WITHIN_MS = 90_000;
const EXIT = /^exit (\d+)$/m;

interface ComputerOptions {
  readonly name: string;
  /** Of the engine that runs on it; without one it has none, not even the built-in one. */
  readonly ollamaUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Typed {
  /** What a person sees, without the command itself. */
  readonly screen: string;
  readonly lines: readonly string[];
  readonly code: number;
}

/** Some computers that belong together; {@link close} ends everything that was typed on them. */
export class TypedComputers {
  private readonly root = mkdtempSync(path.join(os.tmpdir(), 'typed-'));
  private readonly server = `ferry-typed-${process.pid}`;
  private readonly computers: TypedComputer[] = [];

  static readonly arePossible = process.platform === 'linux' && TerminalWindow.areThere();

  add({ name, ollamaUrl, env = {} }: ComputerOptions): TypedComputer {
    const computer = createComputer({
      server: this.server,
      name,
      root: this.root,
      ferry: repositoryRoot,
      env: { FERRY_DISCOVERY: 'off', ...env },
    });
    const data = path.join(this.root, name, '.local', 'share', 'ferry');
    mkdirSync(path.join(data, 'node'), { recursive: true, mode: 0o700 });
    const engines = ollamaUrl === undefined ? [] : [{ kind: 'ollama', base_url: ollamaUrl }];
    writeFileSync(path.join(data, 'node', 'engines.json'), JSON.stringify({ engines }));
    const typed = new TypedComputer(computer, data, 'shell');
    this.computers.push(typed);
    return typed;
  }

  async close(): Promise<void> {
    // What goes on in the background is no child of its window.
    for (const { data } of this.computers) await ferry(['down', '--data-dir', data]);
    TerminalWindow.closeAll(this.server);
    removeLater(this.root);
  }
}

export class TypedComputer {
  private readonly window: TerminalWindow;

  constructor(
    private readonly computer: Computer,
    readonly data: string,
    name: string,
  ) {
    this.window = computer.open(name);
  }

  /** Another terminal of the same person there. */
  another(name: string): TypedComputer {
    return new TypedComputer(this.computer, this.data, name);
  }

  /** Types a command and waits for its end. */
  async type(line: string, withinMs = ENDS_WITHIN_MS): Promise<Typed> {
    await this.window.clear();
    this.window.enter(`${line}; echo exit $?`);
    const whole = await this.window.until(/^exit \d+\n\$ ?$/m, withinMs);
    return seen(whole, `${line}; echo exit $?`);
  }

  /** Types a command that asks something, and waits until it does. */
  async begin(line: string, until: RegExp): Promise<string> {
    await this.window.clear();
    this.window.enter(`${line}; echo exit $?`);
    return this.window.until(until, ENDS_WITHIN_MS);
  }

  async respond(text: string, until: RegExp): Promise<string> {
    this.window.enter(text);
    return this.window.until(until, ENDS_WITHIN_MS);
  }

  /** In tmux's notation: `C-c`, `Enter`. */
  async press(key: string, until: RegExp): Promise<string> {
    this.window.keys(key);
    return this.window.until(until, ENDS_WITHIN_MS);
  }

  async sees(wanted: RegExp): Promise<string> {
    return this.window.until(wanted, ENDS_WITHIN_MS);
  }

  /** Of what {@link begin} began. */
  async ended(): Promise<Typed> {
    return seen(await this.window.until(/^exit \d+\n\$ ?$/m, ENDS_WITHIN_MS), '');
  }
}

function seen(whole: string, typed: string): Typed {
  // The command may take several rows.
  const rows = typed === '' ? 0 : Math.ceil((`$ ${typed}`.length || 1) / COLUMNS);
  const lines = whole.split('\n').slice(rows);
  const end = lines.findIndex((line) => EXIT.test(line));
  const shown = lines.slice(0, end);
  return { screen: shown.join('\n'), lines: shown, code: Number(EXIT.exec(lines[end] ?? '')?.[1]) };
}
