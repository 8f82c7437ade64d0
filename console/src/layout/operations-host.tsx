import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { closeOperations, isOperationsOpen, onOperations } from './operations-store';

const OperationsPanel = lazy(() => import('./operations-panel'));

/** Fetches the panel when it is opened for the first time, and keeps it for the next. */
export function OperationsHost() {
  const opened = useSyncExternalStore(onOperations, isOperationsOpen);
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    if (opened) setWanted(true);
  }, [opened]);
  return (
    wanted && (
      <Suspense>
        <OperationsPanel opened={opened} onClose={closeOperations} />
      </Suspense>
    )
  );
}
