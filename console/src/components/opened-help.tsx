import { CloseButton, Popover, UnstyledButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CommandChoice } from './command-choice';
import type { HelpButtonProps } from './help-button';
import classes from './help-button.module.css';

/** From the edges of the screen, as all pages. */
const EDGE_PX = 16;
const WIDTH = `min(360px, calc(100vw - ${2 * EDGE_PX}px))`;

/** Opens by itself: it takes the place of a button that was pressed. */
export default function OpenedHelp({ label, advice, commands = [] }: HelpButtonProps) {
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(true), []);
  return (
    // With the focus in it, Tab reaches its buttons: it is drawn at the end of the page.
    <Popover
      width={WIDTH}
      withArrow
      position="bottom-start"
      middlewares={{ flip: true, shift: { padding: EDGE_PX } }}
      trapFocus
      returnFocus
      opened={opened}
      onChange={setOpened}
    >
      <Popover.Target>
        <UnstyledButton className={classes.button} onClick={() => setOpened(!opened)}>
          {label}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.head}>
          <h2 className={classes.title}>{label}</h2>
          <CloseButton className={classes.close} iconSize={16} aria-label="Close" onClick={() => setOpened(false)} />
        </div>
        <p className={classes.advice}>{advice}</p>
        <CommandChoice commands={commands} />
      </Popover.Dropdown>
    </Popover>
  );
}
