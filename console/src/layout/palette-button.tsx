import { SearchIcon } from '../components/icons';
import { NavigationButton } from './navigation-button';
import classes from './navigation-button.module.css';
import { openPalette } from './palette-store';

const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator.userAgent);

/** @param wide shows the words on every screen */
export function PaletteButton({ wide = false, onClick }: { readonly wide?: boolean; readonly onClick?: () => void }) {
  return (
    <NavigationButton
      icon={<SearchIcon />}
      word="Search"
      framed
      wide={wide}
      aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
      title="Search"
      onClick={() => {
        onClick?.();
        openPalette();
      }}
    >
      <kbd className={classes.keys} aria-hidden="true">
        {isApple ? '⌘K' : 'Ctrl K'}
      </kbd>
    </NavigationButton>
  );
}
