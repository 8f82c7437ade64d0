import { Popover, UnstyledButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { CommandList } from './command-list';
import type { HelpButtonProps } from './help-button';
import classes from './help-button.module.css';

/** Opens by itself: it takes the place of a button that was pressed. */
export default function OpenedHelp({ label, advice, commands = [] }: HelpButtonProps) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The pressed button is gone, and the focus with it.
    button.current?.focus();
    setOpened(true);
  }, []);
  return (
    <Popover width={360} withArrow position="bottom-start" opened={opened} onChange={setOpened}>
      <Popover.Target>
        <UnstyledButton
          ref={button}
          className={classes.button}
          onClick={() => setOpened(!opened)}
          // The focus stays on the button, where Mantine does not listen for the key.
          onKeyDown={(event) => {
            if (event.key === 'Escape') setOpened(false);
          }}
        >
          {label}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <p className={classes.advice}>{advice}</p>
        <CommandList commands={commands} />
      </Popover.Dropdown>
    </Popover>
  );
}
