import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../kernel/clock.js';
import { connect } from '../../core/api/connect.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { printData } from '../../core/output/print-data.js';
import { watchStopSignals } from '../../core/supervision/stop-signals.js';
import type { Invocation } from '../../invocation.js';
import { explanationLines } from './explanation-lines.js';
import { LiveScreen, type Key } from './live-screen.js';
import { FrameReader } from './read-frame.js';
import { renderFrame } from './render-frame.js';
import type { TopFrame } from './top-frame.shape.js';

const REDRAW_MS = 1_000;
const PIPE_COLUMNS = 120;

/** @throws CliError (usage) without a terminal */
export async function top(invocation: Invocation, { once }: { readonly once?: true }): Promise<void> {
  const { terminal, global } = invocation;
  const api = await connect(invocation);
  if (once === true || global.output !== 'table') {
    const frame = await new FrameReader(api).read(Date.now());
    await printData(invocation, frame, () => {
      const view = { columns: terminal.columns ?? PIPE_COLUMNS, rows: undefined, selected: undefined };
      for (const line of renderFrame(frame, { ...view, colors: terminal.stdoutColors })) terminal.print(line);
    });
    return;
  }
  if (terminal.columns === undefined || !process.stdin.isTTY) {
    throw new CliError('no_terminal', exitCodes.usage, 'ferry top needs a terminal', {
      hint: 'ferry top --once, or --json, prints one frame',
    });
  }
  const reader = new FrameReader(api);
  // Before the terminal is taken over: a failure of the first frame is an ordinary error.
  await new LiveTop(api, reader, terminal.stdoutColors, await reader.read(Date.now())).run();
}

class LiveTop {
  private selected = 0;
  private notice: string | undefined;
  private explanation: readonly string[] | undefined;
  private readonly stop = new AbortController();
  private readonly screen: LiveScreen;

  constructor(
    private readonly api: ManagementApi,
    private readonly reader: FrameReader,
    private readonly colors: boolean,
    private frame: TopFrame,
  ) {
    this.screen = new LiveScreen(process.stdin, process.stdout, (key) => {
      this.pressed(key);
    });
  }

  async run(): Promise<void> {
    const signals = watchStopSignals(process, systemClock);
    void signals.first.then(() => {
      this.stop.abort();
    });
    const resized = (): void => {
      this.draw();
    };
    process.stdout.on('resize', resized);
    try {
      while (!this.stop.signal.aborted) {
        this.draw();
        await delay(REDRAW_MS, undefined, { signal: this.stop.signal }).catch(() => undefined);
        await this.refresh();
      }
    } finally {
      process.stdout.off('resize', resized);
      signals.dispose();
      this.screen.close();
    }
  }

  /** Waits for a relay that is temporarily unreachable; every other error ends the view. */
  private async refresh(): Promise<void> {
    if (this.stop.signal.aborted) return;
    try {
      this.frame = await this.reader.read(Date.now());
      this.notice = undefined;
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode === exitCodes.notSignedIn) throw error;
      this.notice = `${error.message} · q quit`;
    }
    this.selected = Math.max(0, Math.min(this.selected, this.frame.requests.length - 1));
  }

  private pressed(key: Key): void {
    if (this.explanation !== undefined) {
      this.explanation = undefined;
      if (key === 'quit') key = 'other';
    }
    switch (key) {
      case 'up':
        this.selected = Math.max(0, this.selected - 1);
        break;
      case 'down':
        this.selected = Math.max(0, Math.min(this.frame.requests.length - 1, this.selected + 1));
        break;
      case 'enter':
        void this.explain();
        break;
      case 'quit':
        this.stop.abort();
        return;
      case 'other':
        break;
      default:
        key satisfies never;
    }
    this.draw();
  }

  private async explain(): Promise<void> {
    const id = this.frame.requests[this.selected]?.id;
    if (id === undefined) return;
    const { columns } = this.screen;
    this.explanation = await explanationLines(this.api, id, { colors: this.colors, columns });
    this.draw();
  }

  private draw(): void {
    const { columns, rows } = this.screen;
    const lines =
      this.explanation ??
      renderFrame(this.frame, { columns, rows, colors: this.colors, selected: this.selected, notice: this.notice });
    this.screen.show(lines.slice(0, rows));
  }
}
