import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { closePalette, isPaletteOpen, onPalette, openPalette, paletteQuery, setPaletteQuery } from './palette-store';
import { keepTyping } from './palette-typing';
import { recentObjects } from './recent-objects';

const Palette = lazy(() => import('./palette'));

/** Fetches the palette when it is opened for the first time, and keeps it for the next. */
export function PaletteHost() {
  const opened = useSyncExternalStore(onPalette, isPaletteOpen);
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    if (opened) setWanted(true);
  }, [opened]);
  useLayoutEffect(
    () => (opened ? keepTyping({ text: paletteQuery, onText: setPaletteQuery, onEscape: closePalette }) : undefined),
    [opened],
  );
  // An empty list of ignored tags: it works while one types, too.
  useHotkeys([['mod+K', openPalette]], []);
  return (
    wanted && (
      <Suspense>
        <Palette opened={opened} visited={recentObjects} onClose={closePalette} />
      </Suspense>
    )
  );
}
