/** A shell in a terminal of 80 × 24 characters (tmux), which is typed into and looked at. */
import { execFileSync, spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;
const COLUMNS = 80;
const ROWS = 24;
/** A prompt, and nothing else. */
const EMPTY = /^\$ ?$/;
/** By a shell that reads its keys. */
const CLEARED_WITHIN_MS = 2_000;

interface WindowOptions {
  /** Of the tmux server: no other server is touched. */
  readonly server: string;
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
}

interface ScreenPart {
  readonly joined?: boolean;
  readonly visible?: boolean;
}

export class TerminalWindow {
  private constructor(private readonly options: WindowOptions) {}

  static open(options: WindowOptions): TerminalWindow {
    const { server, name, env, directory } = options;
    const variables = Object.entries({ TERM: 'xterm-256color', LANG: 'C.UTF-8', PS1: '$ ', ...env }).map(
      ([variable, value]) => `${variable}=${value}`,
    );
    tmux(server, [
      ...['-f', '/dev/null', '-u', 'new-session', '-d', '-s', name, '-c', directory],
      ...['-x', String(COLUMNS), '-y', String(ROWS)],
      ...['env', '-i', ...variables, 'bash', '--norc', '--noprofile'],
    ]);
    tmux(server, ['set-option', '-g', 'status', 'off']);
    return new TerminalWindow(options);
  }

  static areThere(): boolean {
    return spawnSync('tmux', ['-V']).status === 0;
  }

  static closeAll(server: string): void {
    try {
      tmux(server, ['kill-server']);
    } catch {
      // No window was opened.
    }
  }

  /** Empties the window, so that the next screen begins with what is typed next. */
  async clear(): Promise<void> {
    await this.until(/\$ ?$/, 10_000);
    // A shell that has just printed its prompt may not read keys yet, and then the terminal takes this one for the end of a line.
    const endMs = Date.now() + 10_000;
    do {
      this.keys('C-l');
      // What was in the window becomes history when the shell reads the key: only then can it be dropped.
      await this.shows(EMPTY, { visible: true });
      tmux(this.options.server, ['clear-history', '-t', this.options.name]);
    } while (!(await this.shows(EMPTY)) && Date.now() < endMs);
    await this.until(EMPTY, 0);
  }

  enter(line: string): void {
    tmux(this.options.server, ['send-keys', '-t', this.options.name, '-l', line]);
    this.keys('Enter');
  }

  /** In tmux's notation: `C-c`, `Enter`, `q`. */
  keys(...keys: readonly string[]): void {
    tmux(this.options.server, ['send-keys', '-t', this.options.name, ...keys]);
  }

  /**
   * What a person sees, with what has scrolled away since {@link clear}.
   * @param joined with wrapped lines in one piece. @param visible without what has scrolled away
   */
  screen({ joined = false, visible = false }: ScreenPart = {}): string {
    const text = tmux(this.options.server, [
      ...['capture-pane', '-p', '-t', this.options.name],
      ...(visible ? [] : ['-S', '-']),
      ...(joined ? ['-J'] : []),
    ]);
    return text
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  }

  /** @throws with the screen, when the text does not come in time */
  async until(wanted: RegExp, withinMs: number, part: ScreenPart = {}): Promise<string> {
    const endMs = Date.now() + withinMs;
    for (;;) {
      const screen = this.screen(part);
      if (wanted.test(screen)) return screen;
      if (Date.now() > endMs) throw new Error(`${String(wanted)} did not come within ${withinMs} ms:\n${screen}`);
      await delay(POLL_MS);
    }
  }

  private async shows(wanted: RegExp, part: ScreenPart = {}): Promise<boolean> {
    return this.until(wanted, CLEARED_WITHIN_MS, part).then(
      () => true,
      () => false,
    );
  }

  /** Runs a command to its end. @returns the screen, without the prompt behind it */
  async run(line: string, withinMs = 30_000): Promise<string> {
    await this.clear();
    this.enter(line);
    // The prompt stands alone on the last line; the first one has the command behind it.
    const screen = await this.until(/\n\$ ?$/, withinMs);
    return screen.replace(/\n\$ ?$/, '').trimEnd();
  }
}

const tmux = (server: string, words: readonly string[]): string =>
  execFileSync('tmux', ['-L', server, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
