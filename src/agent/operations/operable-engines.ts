import { filter, firstValueFrom, fromEvent, map, merge, Observable } from 'rxjs';
import type { Clock } from '../../kernel/clock.js';
import type { ModelReport } from '../../link/messages.js';
import type { Timers } from '../connection/timers.js';
import type { Engine } from '../engines/engine.js';

export type OperableEngine = Pick<Engine, 'name' | 'kind' | 'management'>;

export interface OperableModel {
  readonly engine: OperableEngine;
  readonly report: Pick<ModelReport, 'engine_model' | 'state' | 'context_length' | 'engine_unreachable'>;
}

/** The part of the engine catalogue that operations use. */
export interface OperableEngines {
  readonly engines: readonly OperableEngine[];
  /** Finds a model by the node's model key. */
  find(key: string): OperableModel | undefined;
  /** Emits when `engines` or what `find` answers may have changed. */
  readonly models$: Observable<unknown>;
}

/** After the start of the node engines are still being discovered: until `endsAtMs`, missing ones are waited for. */
export interface HeadStart {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Measured by the monotonic clock. */
  readonly endsAtMs: number;
}

/** Calls `look` until it finds something or the head start is over. Undefined when nothing is found in time, or on abort. */
export async function waitFor<Found>(
  find: () => Found | undefined,
  engines: OperableEngines,
  { clock, timers, endsAtMs }: HeadStart,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const found = find();
  const leftMs = endsAtMs - clock.monotonicMs();
  if (found !== undefined || leftMs <= 0 || signal.aborted) return found;
  const over$ = new Observable<undefined>((subscriber) =>
    timers.after(leftMs, () => {
      subscriber.next(undefined);
    }),
  );
  return firstValueFrom(
    merge(
      engines.models$.pipe(
        map(find),
        filter((value) => value !== undefined),
      ),
      over$,
      fromEvent(signal, 'abort').pipe(map(() => undefined)),
    ),
  );
}
