/**
 * Lets Node run TypeScript with the decorator metadata that the relay is compiled with; tsx leaves it out. Used as
 * `node --import ./scripts/swc-loader.mjs FILE`, and by the workers of the tests (test/runner).
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMainThread, threadId } from 'node:worker_threads';
import { swcOptions } from './swc-options.mjs';

// Node runs the hooks in a thread of their own, which loads this file again.
if (isMainThread) register(import.meta.url);

const root = path.resolve(import.meta.dirname, '..');
const cache = path.join(root, 'node_modules', '.cache', 'swc');
/** Another compiler or other options make other code. */
const compilerKey = [JSON.stringify(swcOptions), packageVersion('@swc/core')].join('\0');
const testGlobals = pathToFileURL(path.join(root, 'test', 'runner', 'jest-globals.js')).href;

function packageVersion(name) {
  return JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/** The compiled form of a source as it is now. The same for every process, without asking any. */
function compiledFile(file) {
  const { mtimeMs, size } = statSync(file);
  const key = createHash('sha1').update([file, mtimeMs, size, compilerKey].join('\0')).digest('hex');
  return path.join(cache, `${key}.js`);
}

/** The source map of the compiled form. Few are ever asked for, and making all of them doubles the time of compiling. */
export function sourceMapFile(file) {
  const target = `${compiledFile(file)}.map`;
  if (!existsSync(target)) {
    const { transformFileSync } = createRequire(import.meta.url)('@swc/core');
    write(target, transformFileSync(file, swcOptions).map);
  }
  return target;
}

export async function resolve(specifier, context, next) {
  // Jest's own module of that name throws: its runtime replaces it, and so does ours.
  if (specifier === '@jest/globals') return { url: testGlobals, shortCircuit: true };
  const isOurs = specifier.startsWith('.') && /\.tsx?($|\?)/.test(context.parentURL ?? '');
  if (isOurs && !/\.(mjs|cjs|json)$/.test(specifier)) {
    // With the ending of the compiled file, or without any as in the website.
    const base = new URL(specifier.replace(/\.js$/, ''), context.parentURL).href;
    const source = [`${base}.ts`, `${base}.tsx`].find((url) => existsSync(new URL(url)));
    if (source !== undefined) return next(source, context);
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  const [address] = url.split('?', 1);
  if (!/\.tsx?$/.test(address)) return next(url, context);
  const file = fileURLToPath(address);
  const compiled = compiledFile(file);
  if (!existsSync(compiled)) {
    const { transformFile } = await import('@swc/core');
    write(compiled, (await transformFile(file, { ...swcOptions, sourceMaps: false })).code);
  }
  return { format: 'module', source: readFileSync(compiled), shortCircuit: true };
}

/** Processes may write the same file at the same time: each writes its own, and the last rename wins. */
function write(target, text) {
  mkdirSync(cache, { recursive: true });
  const draft = `${target}.${process.pid}.${threadId}`;
  writeFileSync(draft, text);
  renameSync(draft, target);
}
