/** The form in which bin/load-bundle.js runs a file of the bundle: a script whose value is a function. */
import { createHash } from 'node:crypto';
import { init, parse } from 'es-module-lexer';
import { transform } from 'esbuild';

/** Where a script has what a module has as `import.meta.url`. */
export const LOCATION = 'ferryBundleUrl';
/** What a script imports dynamically: V8 gives code that it has kept no `import` of its own. */
const IMPORT = 'ferryImport';
const PARAMETERS = `exports, require, module, __filename, __dirname, ${LOCATION}, ${IMPORT}`;

const TO_COMMON = { format: 'cjs', platform: 'node', target: 'node20.19', legalComments: 'none', logLevel: 'warning' };

/** How esbuild gives a script its exports: those are getters on an object, which it would copy for importers that are CommonJS. There are none. */
const COPIES_EXPORTS = /^module\.exports = __toCommonJS\((\w+)\);$/m;

/** @param {string} code a file of the bundle, as esbuild makes it: an ES module */
export async function scriptOf(code) {
  const { code: common } = await transform(await withImportsOfLoader(code), TO_COMMON);
  const exportsThings = /^export \{/m.test(code);
  if (exportsThings && !COPIES_EXPORTS.test(common)) throw new Error('esbuild gives scripts their exports otherwise');
  const script = `(function (${PARAMETERS}) {${inAscii(common.replace(COPIES_EXPORTS, 'module.exports = $1;'))}\n})`;
  // bin/load-bundle.js keeps compiled code under this hash.
  return `/*${createHash('sha256').update(script).digest('hex').slice(0, 16)}*/${script}`;
}

/** Whatever is imported dynamically, and not what is text for another process, or a comment. */
async function withImportsOfLoader(code) {
  await init;
  const [imports] = parse(code);
  return imports
    .filter(({ d: isDynamic }) => isDynamic > -1)
    .toReversed()
    .reduce((text, { ss: start }) => `${text.slice(0, start)}${IMPORT}${text.slice(start + 'import'.length)}`, code);
}

/**
 * V8 keeps a text with any other character in twice the memory. What esbuild leaves of those is in comments, regular expressions and templates with
 * a tag, where an escape means the same (but not to `String.raw`, which is given none of them).
 */
function inAscii(code) {
  return code.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
