import { setFlagsFromString } from 'node:v8';

/**
 * Keeps WebAssembly of this process in the code of V8's first compiler. The optimizing one takes longer to compile the database than it ever
 * saves: statements cost the same CPU time without it, a start half a second less, and the process 60 MB less. Functions are checked when they
 * are compiled, which most of the database's never are: 0.04 s of CPU less. Must be called before PGlite is created; the flags hold for all threads. Plain JavaScript, so that Jest can start its importers from source.
 */
export function keepFirstTier() {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--wasm-lazy-validation');
}
