/**
 * `npm run up --host X` without `--`: npm keeps the option for itself, and the program would start as if nobody had given it. npm leaves the
 * option in the environment, and its value there or among the words.
 */

/** Options of `ferry up` that npm does not have. A `json` in the environment may be from an .npmrc, so it alone is no mistake. */
const OPTIONS = ['host', 'port', 'data-dir', 'config', 'qr', 'detach', 'base-url', 'profile'];
const WITHOUT_VALUE = new Set(['qr', 'detach']);

/**
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {readonly string[]} words of the program
 * @returns {{ taken: string, instead: string } | undefined} undefined: npm has kept nothing
 */
export function keptByNpm(env, words) {
  const rest = [...words];
  const taken = OPTIONS.flatMap((option) => {
    const value = env[`npm_config_${option.replaceAll('-', '_')}`];
    if (!value) return [];
    if (WITHOUT_VALUE.has(option)) return [`--${option}`];
    // `--host X`: npm does not know that X belongs to it, and hands it on.
    const given = value === 'true' ? rest.shift() : value;
    return [`--${option}${given === undefined ? '' : ` ${given}`}`];
  });
  if (taken.length === 0) return undefined;
  const script = env.npm_lifecycle_event === 'start' ? 'npm start' : 'npm run up';
  const more = env.npm_config_json === 'true' ? ['--json'] : [];
  return { taken: taken.join(' '), instead: [script, '--', ...taken, ...more, ...rest].join(' ') };
}
