import { setFlagsFromString } from 'node:v8';

/**
 * Keeps WebAssembly of this process in the code of V8's first compiler. Here it is the HTTP parser behind `fetch`, for a few dozen requests
 * at the start. To optimize it takes 40 MB for a moment, of which a quarter stays with the process. Must be called before the first request.
 */
export function keepFirstTier(): void {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
}
