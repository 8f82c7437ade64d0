/**
 * Runs the bundle (scripts/bundle-programs.mjs) with the code that V8 compiled in an earlier start, which is a third of the processor time of
 * a start. Its files are scripts and not ES modules: Node 20 keeps no compiled code of modules, and later versions keep only what V8 compiles
 * before a module runs, without the functions that run then.
 */
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { debuglog } = require('node:util');
const { cachedDataVersionTag } = require('node:v8');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

/** A program that still runs then is a service that has started: later, V8 drops the code of functions that only a start needs. */
const KEEP_AFTER_MS = 5_000;

/** Every script begins with a comment that is the hash of its text: what is kept under it is never of another build. */
const HASH = /^\/\*(\w+)\*\//;

const log = debuglog('ferry-code');

const isOfBundle = (name) => name.startsWith('./');

/** @param {string} folder of the bundle @param {string} keptIn folder of compiled code, which need not exist or be writable */
exports.loadBundle = function loadBundle(folder, keptIn) {
  const code = new CompiledCode(keptIn);
  const ofPackages = createRequire(path.join(folder, 'any.js'));
  const loaded = new Map();

  function load(name) {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const file = path.join(folder, name);
    const module = { exports: {} };
    loaded.set(name, module);
    try {
      const run = code.scriptOf(file).runInThisContext();
      run(module.exports, requireFrom, module, file, folder, pathToFileURL(file).href, importFrom);
    } catch (error) {
      // Whoever asks again must not get half of it.
      loaded.delete(name);
      throw error;
    }
    return module.exports;
  }

  // One name for each file, however it is asked for: it is run once.
  const requireFrom = (name) => (isOfBundle(name) ? load(path.basename(name)) : ofPackages(name));
  // This file's own `import` also works in code that V8 has kept, in which a script's own fails.
  const importFrom = async (name) => (isOfBundle(name) ? requireFrom(name) : import(name));
  return load;
};

/**
 * Files of V8's compiled code. The last four bytes of each are its checksum, because V8 does not look whether a file is whole. Failures leave
 * a start without kept code, which is only slower.
 */
class CompiledCode {
  /** Those whose code is not kept yet. */
  #scripts = [];
  #keepsLater = false;

  constructor(folder) {
    // V8's version and flags, and what the processor can do.
    const tag = cachedDataVersionTag().toString(16);
    this.folder = path.join(folder, `${process.version}-${process.arch}-${tag}`);
  }

  scriptOf(file) {
    const source = readFileSync(file, 'latin1');
    const kept = path.join(this.folder, `${path.basename(file)}-${HASH.exec(source)?.[1]}`);
    const cachedData = read(kept);
    const script = new Script(source, { filename: file, cachedData });
    if (cachedData === undefined) this.#keepOf(script, kept);
    log(
      '%s: %s',
      path.basename(file),
      { undefined: 'compiled', false: 'kept', true: 'refused' }[script.cachedDataRejected],
    );
    return script;
  }

  #keepOf(script, kept) {
    this.#scripts.push({ script, kept });
    if (this.#keepsLater) return;
    this.#keepsLater = true;
    const keep = () => this.#keep();
    setTimeout(keep, KEEP_AFTER_MS).unref();
    process.once('exit', keep);
  }

  #keep() {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      for (const { script, kept } of this.#scripts.splice(0)) write(kept, script.createCachedData());
    } catch {
      // Such as a program that another user has installed.
    }
  }
}

const CHECKSUM_BYTES = 4;

function read(file) {
  try {
    const bytes = readFileSync(file);
    // Its beginning stays where it is: V8 copies what does not begin at a multiple of eight.
    const data = bytes.subarray(0, -CHECKSUM_BYTES);
    return bytes.readUInt32LE(data.length) === crc32(data) ? forFlagsOfNow(data) : undefined;
  } catch {
    return undefined;
  }
}

/** Of the hash of V8's flags in compiled code: the fourth of its first numbers. A V8 that has it elsewhere refuses the code. */
const FLAGS_AT = 12;

/**
 * V8 refuses code that was compiled with other flags. Those of the start are in the name of the folder; those that are set while a program runs
 * concern memory and WebAssembly, not the code of functions.
 */
function forFlagsOfNow(data) {
  new Script('').createCachedData().copy(data, FLAGS_AT, FLAGS_AT, FLAGS_AT + 4);
  return data;
}

/** Several starts at once write the same file. */
function write(file, data) {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(data));
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, Buffer.concat([data, checksum]));
  renameSync(unfinished, file);
}
