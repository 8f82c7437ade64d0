/** The steps of `npm run up` before `ferry up`, on one line of a terminal: `  ✓ packages 31 s   ⠙ build 4 s`. Elsewhere a line for each. */
const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const FRAME_MS = 100;
/** Of the output of a failed step. */
const KEPT_LINES = 30;
const KEPT_CHARACTERS = 100_000;

const seconds = (sinceMs) => `${Math.round((performance.now() - sinceMs) / 1000)} s`;

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
     * @param {(output: (text: string) => void) => Promise<void>} work what it prints is shown only when it fails
     */
    async run(name, work) {
      const startedAtMs = performance.now();
      let frame = 0;
      let printed = '';
      const draws = () => draw([`${FRAMES[frame++ % FRAMES.length]} ${name} ${seconds(startedAtMs)}`]);
      draws();
      const timer = drawn ? setInterval(draws, FRAME_MS) : undefined;
      try {
        await work((text) => (printed = (printed + text).slice(-KEPT_CHARACTERS)));
      } catch (error) {
        draw([`✗ ${name} ${seconds(startedAtMs)}`]);
        const lines = printed.trimEnd().split('\n').slice(-KEPT_LINES);
        stream.write(`${drawn ? '\n' : ''}${lines.join('\n')}\n`);
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
