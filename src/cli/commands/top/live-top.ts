import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../kernel/clock.js';
import { stripUnprintable } from '../../../kernel/printable.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { watchStopSignals } from '../../core/supervision/stop-signals.js';
import { loggedOf } from '../explain/explain-request.js';
import { renderExplanation } from '../explain/render-explanation.js';
import { shortId } from '../../core/output/short-id.js';
import { LiveScreen, type Key } from './live-screen.js';
import type { FrameReader } from './read-frame.js';
import { renderFrame } from './render-frame.js';
import type { TopFrame } from './top-frame.shape.js';

const REDRAW_MS = 1_000;
/** How long the last line shows what came of a key. */
const NOTICE_MS = 4_000;

type Request = TopFrame['requests'][number];

export class LiveTop {
  /** By id: rows move up when earlier requests end, and `k` must not stop another one. */
  private selectedId: string | undefined;
  private notice: { readonly text: string; readonly untilMs: number } | undefined;
  /** Waits for a `y`. */
  private stopping: Request | undefined;
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
      this.select(0);
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
    const index = this.selectedIndex;
    try {
      this.frame = await this.reader.read(Date.now());
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode === exitCodes.notSignedIn) throw error;
      this.say(`${error.message} · q quit`);
    }
    const { requests } = this.frame;
    if (!requests.some(({ id }) => id === this.selectedId)) this.select(index);
    if (!requests.some(({ id }) => id === this.stopping?.id)) this.stopping = undefined;
  }

  private pressed(key: Key): void {
    const { stopping } = this;
    this.stopping = undefined;
    if (this.explanation !== undefined) this.explanation = undefined;
    else if (stopping !== undefined) {
      if (key === 'yes') void this.stopRequest(stopping);
    } else if (key === 'quit') {
      this.stop.abort();
      return;
    } else this.act(key);
    this.draw();
  }

  private act(key: Exclude<Key, 'quit'>): void {
    this.notice = undefined;
    switch (key) {
      case 'up':
        this.select(this.selectedIndex - 1);
        break;
      case 'down':
        this.select(this.selectedIndex + 1);
        break;
      case 'enter':
        void this.explain();
        break;
      case 'stop':
        this.stopping = this.frame.requests[this.selectedIndex];
        break;
      case 'yes':
      case 'other':
        break;
      default:
        key satisfies never;
    }
  }

  private get selectedIndex(): number {
    return this.frame.requests.findIndex(({ id }) => id === this.selectedId);
  }

  private select(index: number): void {
    const { requests } = this.frame;
    this.selectedId = requests[Math.max(0, Math.min(requests.length - 1, index))]?.id;
  }

  private async explain(): Promise<void> {
    const id = this.selectedId;
    if (id === undefined) return;
    const { columns } = this.screen;
    this.explanation = await explanationLines(this.api, id, { colors: this.colors, columns });
    this.draw();
  }

  private async stopRequest({ id }: Request): Promise<void> {
    try {
      await this.api.post('/api/requests/{id}/cancel', { path: { id } });
      this.say(`Stopped ${shortId(id)}`);
      await this.refresh();
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
    this.draw();
  }

  private say(text: string): void {
    this.notice = { text, untilMs: systemClock.monotonicMs() + NOTICE_MS };
  }

  private draw(): void {
    const { columns, rows } = this.screen;
    const view = { columns, rows, colors: this.colors, selected: this.selectedId, notice: this.lastLine() };
    const lines = this.explanation === undefined ? renderFrame(this.frame, view) : withinRows(this.explanation, rows);
    this.screen.show(lines.slice(0, rows));
  }

  private lastLine(): string | undefined {
    if (this.stopping !== undefined) {
      const { id, key, model } = this.stopping;
      return `Stop ${shortId(id)} (${key}, ${model})? y yes · any other key no`;
    }
    return this.notice !== undefined && systemClock.monotonicMs() < this.notice.untilMs ? this.notice.text : undefined;
  }
}

/** The last line says how to get back, so it stays. */
export const withinRows = (lines: readonly string[], rows: number): readonly string[] =>
  lines.length <= rows ? lines : [...lines.slice(0, Math.max(0, rows - 1)), ...lines.slice(-1)];

/** Returns the lines of `ferry explain`, or the reason why there are none. */
async function explanationLines(
  api: ManagementApi,
  id: string,
  shown: { readonly colors: boolean; readonly columns: number },
): Promise<readonly string[]> {
  try {
    const request = await api.get('/api/requests/{id}', { path: { id } });
    const text = renderExplanation(request, await loggedOf(api, request), { wide: false, ...shown });
    return [...text.split('\n'), '', 'any key: back'];
  } catch (error) {
    return [stripUnprintable(error instanceof Error ? error.message : String(error)), '', 'any key: back'];
  }
}
