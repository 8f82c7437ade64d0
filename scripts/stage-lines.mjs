/**
 * The stages of `npm test`: a numbered line each, with its result and its time. On a terminal the running ones are drawn below, with how far
 * they are; elsewhere a line is printed when a stage ends.
 */
const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const FRAME_MS = 100;

export const duration = (ms) => {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/**
 * @param {readonly string[]} names of all stages
 * @param {{ isTTY?: boolean, write: (text: string) => unknown }} stream
 */
export function createStageLines(names, stream = process.stderr) {
  const count = names.length;
  const width = Math.max(...names.map((name) => name.length));
  const drawn = stream.isTTY === true && process.env.TERM !== 'dumb';
  const running = new Set();
  const digits = String(count).length;
  let frame = 0;
  let drawnLines = 0;

  const line = (mark, stage, text) =>
    ` ${mark} ${String(stage.number).padStart(digits)}/${count}  ${stage.name.padEnd(width)} ${text}`;
  const erase = () => {
    if (drawnLines > 0) stream.write(`\u001b[${drawnLines}A\u001b[0J`);
    drawnLines = 0;
  };
  const draw = () => {
    if (!drawn) return;
    erase();
    const mark = FRAMES[frame++ % FRAMES.length];
    for (const stage of running) {
      const used = duration(performance.now() - stage.startedAtMs).padStart(10);
      stream.write(`${line(mark, stage, `${used}  ${stage.progress}`.trimEnd())}\n`);
    }
    drawnLines = running.size;
  };
  const timer = drawn ? setInterval(draw, FRAME_MS).unref() : undefined;

  return {
    /** @returns {{ progress: (text: string) => void, end: (ok: boolean, text: string) => void }} */
    start(number, name) {
      const stage = { number, name, startedAtMs: performance.now(), progress: '' };
      running.add(stage);
      draw();
      return {
        progress: (text) => (stage.progress = text),
        end(ok, text) {
          running.delete(stage);
          erase();
          const used = duration(performance.now() - stage.startedAtMs).padStart(10);
          stream.write(`${line(ok ? '✓' : '✗', stage, `${used}  ${text}`.trimEnd())}\n`);
          draw();
        },
      };
    },
    end() {
      clearInterval(timer);
      erase();
    },
  };
}
