import { UnstyledButton } from '@mantine/core';
import { SearchIcon } from '../components/icons';
import classes from './palette-button.module.css';
import { openPalette } from './palette-store';

const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator.userAgent);

/** @param wide shows the words on every screen */
export function PaletteButton({ wide = false, onClick }: { readonly wide?: boolean; readonly onClick?: () => void }) {
  return (
    <UnstyledButton
      className={classes.button}
      data-wide={wide || undefined}
      aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
      title="Search"
      onClick={() => {
        onClick?.();
        openPalette();
      }}
    >
      <SearchIcon />
      <span className={classes.word}>Search</span>
      <kbd className={classes.keys} aria-hidden="true">
        {isApple ? '⌘K' : 'Ctrl K'}
      </kbd>
    </UnstyledButton>
  );
}
