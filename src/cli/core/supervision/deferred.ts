/** A replacement for `Promise.withResolvers`, which Node 20 does not have. */
interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: Error) => void;
}

export function createDeferred<Value>(): Deferred<Value> {
  const handles: { resolve?: (value: Value) => void; reject?: (reason: Error) => void } = {};
  const promise = new Promise<Value>((resolve, reject) => {
    Object.assign(handles, { resolve, reject });
  });
  return {
    promise,
    resolve: (value) => handles.resolve?.(value),
    reject: (reason) => handles.reject?.(reason),
  };
}
