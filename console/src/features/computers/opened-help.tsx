import { Popover, UnstyledButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { CodeBlock } from '../../components/code-block';
import classes from './computers.module.css';
import type { HelpButtonProps } from './help-button';

/** Opens by itself: it takes the place of a button that was pressed. */
export default function OpenedHelp({ label, advice, command }: HelpButtonProps) {
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
          className={classes.fix}
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
        <p className={classes.remedy}>{advice}</p>
        {command !== undefined && <CodeBlock code={command} label="command" wrap />}
      </Popover.Dropdown>
    </Popover>
  );
}
