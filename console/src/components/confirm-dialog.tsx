import { lazy, Suspense, useState, type ReactNode } from 'react';

export interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** What happens, and to whom. */
  readonly children: ReactNode;
  /** The verb of the button: "Revoke key". */
  readonly action: string;
  /** Has to be typed before the button works: for what cannot be undone and others depend on. */
  readonly typed?: string;
  /** Not red: it can be undone. */
  readonly harmless?: boolean;
  /** Something was chosen. Default: nothing has to be. */
  readonly ready?: boolean;
  readonly pending: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const OpenedConfirmDialog = lazy(() => import('./opened-confirm-dialog'));

/**
 * Asks before something is done. Its code is fetched when it is first opened. Unmount it or change its `key` to forget what was typed.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [wanted, setWanted] = useState(props.opened);
  // It stays while it closes.
  if (props.opened && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense>
      <OpenedConfirmDialog {...props} />
    </Suspense>
  );
}
