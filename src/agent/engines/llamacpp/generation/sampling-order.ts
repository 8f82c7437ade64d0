import type { LlamaContext } from '../binding.js';

type Call = (...values: readonly unknown[]) => Promise<unknown>;

/** The native object of a context, which node-llama-cpp keeps private. */
interface NativeContext {
  readonly decodeBatch: Call;
  readonly sampleToken: Call;
}

/**
 * Lets the first token of every batch be sampled alone, the others beside each other afterwards.
 *
 * node-llama-cpp samples the sequences of a batch on several threads. The first of them to read a batch's logits also sorts them
 * (`output_reorder` in llama.cpp), which is not thread-safe: two threads that sort at once leave the rows exchanged, and one
 * request gets a token that was computed for another one.
 *
 * @throws when the native object has another shape, so that a new version of the binding cannot silently lose the order
 */
export function sampleFirstAlone(context: LlamaContext): void {
  const native = nativeOf(context);
  const decodeBatch = native.decodeBatch.bind(native);
  const sampleToken = native.sampleToken.bind(native);
  let first: Promise<unknown> | undefined;
  const ordered: NativeContext = {
    decodeBatch: (...values) => {
      first = undefined;
      return decodeBatch(...values);
    },
    sampleToken: (...values) => {
      if (first !== undefined) return first.then(() => sampleToken(...values));
      const own = sampleToken(...values);
      // The caller gets the failure; the next ones only need to know that it is over.
      first = own.catch(() => undefined);
      return own;
    },
  };
  // Not by assignment: methods of native classes are read-only.
  Object.defineProperties(native, {
    decodeBatch: { value: ordered.decodeBatch },
    sampleToken: { value: ordered.sampleToken },
  });
}

function nativeOf(context: object): NativeContext {
  const native = (context as { readonly _ctx?: Partial<NativeContext> })._ctx;
  if (typeof native?.decodeBatch !== 'function' || typeof native.sampleToken !== 'function') {
    throw new Error('this version of node-llama-cpp has no native context whose sampling can be ordered');
  }
  return native as NativeContext;
}
