import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import type { ModelActions, Placement } from './placement';

const LoadDialog = lazy(async () => ({ default: (await import('./load-dialog')).LoadDialog }));
const UnloadDialog = lazy(async () => ({ default: (await import('./unload-dialog')).UnloadDialog }));
const RemoveDialog = lazy(async () => ({ default: (await import('./remove-dialog')).RemoveDialog }));

interface Doing {
  readonly kind: 'load' | 'unload' | 'remove';
  readonly places: readonly Placement[];
}

/** What is asked before something is done with a model. */
export function ModelDialogs({ doing, onClose }: { readonly doing: Doing | null; readonly onClose: () => void }) {
  const [first, ...others] = doing?.places ?? [];
  if (doing === null || first === undefined) return null;
  return (
    <Suspense>
      {doing.kind === 'load' && <LoadDialog places={[first, ...others]} onClose={onClose} />}
      {doing.kind === 'unload' && <UnloadDialog places={[first, ...others]} onClose={onClose} />}
      {doing.kind === 'remove' && <RemoveDialog places={[first, ...others]} onClose={onClose} />}
    </Suspense>
  );
}

interface ModelDialogState {
  readonly doing: Doing | null;
  /** The same for all renders. */
  readonly actions: ModelActions;
  readonly close: () => void;
}

export function useModelDialogs(): ModelDialogState {
  const [doing, setDoing] = useState<Doing | null>(null);
  const actions = useMemo(
    (): ModelActions => ({
      onLoad: (places) => setDoing({ kind: 'load', places }),
      onUnload: (places) => setDoing({ kind: 'unload', places }),
      onRemove: (places) => setDoing({ kind: 'remove', places }),
    }),
    [],
  );
  return { doing, actions, close: useCallback(() => setDoing(null), []) };
}
