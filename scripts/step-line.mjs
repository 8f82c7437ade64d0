/** The steps of `npm run up` before `ferry up`, on one line of a terminal: `  ✓ packages 31 s   ⠙ build 4 s`. Elsewhere a line for each. */
const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const FRAME_MS = 100;
const BAR_CHARACTERS = 10;
const MEASURE_EVERY_MS = 500;
const SILENT_FROM_MS = 20_000;
/** Of the output of a failed step. */
const KEPT_LINES = 30;
const KEPT_CHARACTERS = 100_000;

const seconds = (sinceMs) => `${Math.round((performance.now() - sinceMs) / 1000)} s`;

/**
 * What is said of a measured step beside its name: `34%  214/640  18/s  00:24  ━━━╌╌╌╌╌╌╌`; nothing before anything is done.
 * @param {{ done: number, total: number, before?: number }} state `before` was done when the step began
 */
export function progressText({ done, total, before = 0 }, elapsedMs, unchangedMs) {
  if (unchangedMs >= SILENT_FROM_MS) {
    return `nothing has come for ${Math.round(unchangedMs / 1000)} s; is this computer online?`;
  }
  if (done === before || total === 0) return '';
  const share = Math.min(1, done / total);
  const perSecond = (done - before) / (elapsedMs / 1000);
  const left = Math.round((total - done) / perSecond);
  const time = `${String(Math.floor(left / 60)).padStart(2, '0')}:${String(left % 60).padStart(2, '0')}`;
  const full = Math.floor(share * BAR_CHARACTERS);
  const bar = '━'.repeat(full) + '╌'.repeat(BAR_CHARACTERS - full);
  return `${Math.floor(share * 100)}%  ${done}/${total}  ${Math.round(perSecond)}/s  ${time}  ${bar}`;
}

/** @param {{ isTTY?: boolean, write: (text: string) => unknown }} stream */
export function createStepLine(stream = process.stderr) {
  const drawn = stream.isTTY === true && process.env.TERM !== 'dumb' && !process.env.NO_COLOR;
  const finished = [];
  const draw = (running) => {
    if (drawn) stream.write(`\r\u001b[2K  ${[...finished, ...running].join('   ')}`);
  };
  return {
    /**
     * @param {string} name
     * @param {(output: (text: string) => void) => Promise<void>} work what it prints is shown only when it fails without advice
     * @param {() => { done: number, total: number }} [measure] how much of it is done
     */
    async run(name, work, measure) {
      const startedAtMs = performance.now();
      const progress = measure === undefined ? () => '' : progressOf(measure);
      let frame = 0;
      let printed = '';
      const draws = () => {
        const mark = FRAMES[frame++ % FRAMES.length];
        draw([`${mark} ${name} ${seconds(startedAtMs)}  ${progress()}`.trimEnd()]);
      };
      draws();
      const timer = drawn ? setInterval(draws, FRAME_MS) : undefined;
      try {
        await work((text) => (printed = (printed + text).slice(-KEPT_CHARACTERS)));
      } catch (error) {
        draw([`✗ ${name} ${seconds(startedAtMs)}`]);
        if (drawn) stream.write('\n');
        // What is understood needs no output of a program beside it.
        if (error.advice === undefined)
          stream.write(`${printed.trimEnd().split('\n').slice(-KEPT_LINES).join('\n')}\n`);
        throw error;
      } finally {
        clearInterval(timer);
      }
      finished.push(`✓ ${name} ${seconds(startedAtMs)}`);
      if (drawn) draw([]);
      else stream.write(`  ${finished.at(-1)}\n`);
    },
    /** Whatever is printed next begins a line. */
    end() {
      if (drawn && finished.length > 0) stream.write('\n');
    },
  };
}

function progressOf(measure) {
  const startedAtMs = performance.now();
  let measuredAtMs = startedAtMs;
  let changedAtMs = startedAtMs;
  const before = measure().done;
  let state = { done: before, total: 0 };
  return () => {
    const nowMs = performance.now();
    if (nowMs - measuredAtMs >= MEASURE_EVERY_MS) {
      const next = measure();
      if (next.done !== state.done) changedAtMs = nowMs;
      [state, measuredAtMs] = [next, nowMs];
    }
    return progressText({ ...state, before }, nowMs - startedAtMs, nowMs - changedAtMs);
  };
}
