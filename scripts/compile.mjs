/**
 * `node scripts/compile.mjs FOLDER`: compiles the program, without its specs, from `src` into a new FOLDER, then bundles it. Each file by
 * itself, whatever the types say: `npm run typecheck` looks at those.
 */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transformFile } from '@swc/core';
import { bundlePrograms } from './bundle-programs.mjs';
import { root } from './run.mjs';
import { swcOptions } from './swc-options.mjs';

const source = path.join(root, 'src');
const target = path.resolve(process.argv[2]);

/** `FILE.js` and, like the compiler of TypeScript, its source map beside it. */
async function compile(name) {
  const file = path.join(source, name);
  const compiled = path.join(target, name.replace(/\.ts$/, '.js'));
  // The sources are not part of the npm package, and beside the map in a checkout.
  const sourceFileName = path.relative(path.dirname(compiled), file).split(path.sep).join('/');
  const { code, map } = await transformFile(file, { ...swcOptions, sourceFileName, inlineSourcesContent: false });
  const mapName = `${path.basename(compiled)}.map`;
  writeFileSync(compiled, `${code}//# sourceMappingURL=${mapName}\n`);
  writeFileSync(path.join(path.dirname(compiled), mapName), map);
}

const entries = readdirSync(source, { recursive: true, withFileTypes: true });
const names = entries
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => path.relative(source, path.join(parentPath, name)));
for (const folder of new Set(names.map((name) => path.dirname(name)))) {
  mkdirSync(path.join(target, folder), { recursive: true });
}
// Threads and programs of their own are written in JavaScript, so that they also start from `src`.
for (const name of names.filter((name) => /\.js$/.test(name))) {
  copyFileSync(path.join(source, name), path.join(target, name));
}
await Promise.all(names.filter((name) => /(?<!\.spec)\.ts$/.test(name)).map(compile));
await bundlePrograms(target);
