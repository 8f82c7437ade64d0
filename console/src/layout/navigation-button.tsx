import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './navigation-button.module.css';

interface NavigationButtonProps extends Pick<
  React.ComponentPropsWithoutRef<'button'>,
  'title' | 'onClick' | 'aria-haspopup' | 'aria-keyshortcuts'
> {
  readonly icon: ReactNode;
  readonly word: ReactNode;
  /** Looks like a field. */
  readonly framed?: boolean;
  /** Shows the word on every screen. */
  readonly wide: boolean;
  /** At its end. */
  readonly children: ReactNode;
}

/** A button among the links of the navigation: its icon only on a narrow screen. */
export function NavigationButton({ icon, word, framed = false, wide, children, ...button }: NavigationButtonProps) {
  return (
    <UnstyledButton
      {...button}
      className={classes.button}
      data-framed={framed || undefined}
      data-wide={wide || undefined}
    >
      {icon}
      <span className={classes.word}>{word}</span>
      {children}
    </UnstyledButton>
  );
}
