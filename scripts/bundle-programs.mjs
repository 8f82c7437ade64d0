/**
 * Bundles the compiled `ferry` into few files: a relay opens 40 files at its start instead of 3,200, which was a third of the processor time
 * of a start. What only some commands need stays in files of its own, loaded by its dynamic import. They are scripts, which
 * bin/load-bundle.js runs with the code that V8 compiled in an earlier start.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { LOCATION, scriptOf } from './bundle-script.mjs';
import { leaveOut, modernForms } from './leave-out.mjs';
import { root } from './run.mjs';

const external = [
  // Optional for the packages that ask for them, and not installed.
  '@nestjs/microservices',
  '@nestjs/platform-socket.io',
  'class-transformer/storage',
  'kerberos',
  // Native code, and a database that finds its files beside its own.
  '@node-rs/argon2',
  '@electric-sql/pglite',
  // Changes a global that all decorators use: see below.
  'reflect-metadata',
  // Imported when it is needed, by the names of what it exports: of a CommonJS package only Node itself finds these.
  'cli-progress',
];

/** Packages whose CommonJS form cannot be bundled: imported dynamically, or with calls of `require` that the bundler does not see. */
const alias = {
  ...modernForms,
  'class-transformer': './node_modules/class-transformer/esm5/index.js',
  'class-validator': './node_modules/class-validator/esm5/index.js',
  'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js',
  yaml: './node_modules/yaml/browser/dist/index.js',
};

/** In the metadata of parameters: types of Express, which have the names of globals. Node loads all of its `fetch` when these are looked at. */
const EXPRESS_TYPES = /\btypeof (Request|Response) === "undefined" \? Object : \1\b/g;

/**
 * What a module relies on when it is a file of its own, and the bundler changes:
 * - Compiled files find workers and files of the project relative to themselves.
 * - Modules of different files of the bundle are not evaluated in the order of their imports. Those with decorators load what these need.
 * - Classes of the same name get other names. Log lines, names of errors and tokens of Nest contain them.
 */
const keepSurroundings = (compiled, target) => ({
  name: 'keep-surroundings',
  setup({ onLoad }) {
    onLoad({ filter: /\.m?js$/ }, ({ path: file }) => {
      const code = readFileSync(file, 'utf8');
      const own = file.startsWith(compiled + path.sep);
      if (!own && !/^(?:import|export)\b/m.test(code)) return undefined;
      const before = own && code.includes('_ts_metadata') ? "import 'reflect-metadata';\n" : '';
      const place = path.relative(target, file).split(path.sep).join('/');
      const location = `new URL(${JSON.stringify(place)}, import.meta.url).href`;
      const placed = own ? code.replaceAll('import.meta.url', location).replaceAll(EXPRESS_TYPES, 'Object') : code;
      return { contents: `${before}${placed}\n${namesOfClasses(code)}`, loader: 'js' };
    });
  },
});

/** Gives the classes at the top of an ES module their own names back. The functions of a hot path must not pay for this, as with `keepNames`. */
function namesOfClasses(code) {
  if (/\bstatic (?:get )?name\b/.test(code)) return '';
  const names = [...code.matchAll(/^(?:export )?(?:default )?(?:class|let \w+ = class) (\w+)/gm)].map(
    ([, name]) => name,
  );
  return names
    .map(
      (name) =>
        `if (${name}.name !== '${name}') Object.defineProperty(${name}, 'name', { value: '${name}', configurable: true });`,
    )
    .join('\n');
}

/** @param {string} compiled folder of the compiled sources; the bundle becomes its folder `bundle` */
export async function bundlePrograms(compiled) {
  const target = path.join(compiled, 'bundle');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { ferry: path.join(compiled, 'cli', 'main.js') },
    outdir: target,
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    define: { 'import.meta.url': LOCATION, 'import.meta.dirname': '__dirname' },
    // Licences are in the packages, which are installed beside the bundle. Nothing is minified, so that stack traces stay readable.
    legalComments: 'none',
    external,
    alias,
    plugins: [leaveOut, keepSurroundings(compiled, target)],
    logLevel: 'warning',
  });
  mkdirSync(target, { recursive: true });
  await Promise.all(outputFiles.map(async ({ path: file, text }) => writeFileSync(file, await scriptOf(text))));
}
