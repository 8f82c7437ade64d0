/** A word in a sentence that opens advice. What places the advice on the screen is fetched when it is first opened or pointed at. */
import { UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import classes from './help-button.module.css';
import type { Command } from './node-commands';

export interface HelpButtonProps {
  readonly label: string;
  readonly advice: string;
  readonly commands?: readonly Command[];
}

const load = () => import('./opened-help');
const OpenedHelp = lazy(load);

export function HelpButton(props: HelpButtonProps) {
  const [wanted, setWanted] = useState(false);
  const button = (
    <UnstyledButton
      className={classes.button}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => setWanted(true)}
      onPointerEnter={() => void load()}
    >
      {props.label}
    </UnstyledButton>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <OpenedHelp {...props} />
    </Suspense>
  );
}
