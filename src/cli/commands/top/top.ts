import { connect } from '../../core/api/connect.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { printData } from '../../core/output/print-data.js';
import type { Invocation } from '../../invocation.js';
import { LiveTop } from './live-top.js';
import { FrameReader } from './read-frame.js';
import { renderFrame } from './render-frame.js';

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
