/** A button with a menu. The menu's code, and what places it on the screen, are fetched when it is first opened or pointed at. */
import { cloneElement, lazy, Suspense, useState, type ReactElement, type ReactNode } from 'react';
import type { MenuProps } from '@mantine/core';

export interface MenuAction {
  readonly label: ReactNode;
  readonly onClick?: () => void;
  /** Opens in a tab of its own. */
  readonly href?: string;
  readonly left?: ReactNode;
  readonly right?: ReactNode;
  readonly current?: boolean;
  readonly disabled?: boolean;
  /** Red: it cannot be undone. */
  readonly grave?: boolean;
  /** The menu stays open: the choice can be compared with others. */
  readonly staysOpen?: boolean;
}

export type MenuEntry = MenuAction | { readonly heading: ReactNode } | 'divider';

export interface ActionMenuProps {
  /** Takes `onClick`, and passes its other props and its `ref` on. */
  readonly button: ReactElement<ButtonProps>;
  readonly entries: readonly MenuEntry[];
  readonly position?: MenuProps['position'];
  readonly width?: number | 'target';
}

type ButtonProps = Pick<
  React.ComponentPropsWithoutRef<'button'>,
  'onClick' | 'onPointerEnter' | 'aria-haspopup' | 'aria-expanded'
>;

const load = () => import('./opened-menu');
const OpenedMenu = lazy(load);

export function ActionMenu(props: ActionMenuProps) {
  const [wanted, setWanted] = useState(false);
  const button = cloneElement(props.button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
    onPointerEnter: () => void load(),
  });
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <OpenedMenu {...props} />
    </Suspense>
  );
}
