import { Popover, UnstyledButton } from '@mantine/core';
import { CodeBlock } from '../../components/code-block';
import type { Node } from '../../components/node-facts';
import classes from './computers.module.css';

const managers: Readonly<Record<NonNullable<Node['supervisor']>, string>> = {
  systemd: 'yes, by systemd',
  launchd: 'yes, by launchd',
};

/** Whether Ferry starts again with the computer; where it does not, how to make it so. */
export function ServiceState({ node: { supervisor, online, platform, name } }: { readonly node: Node }) {
  if (supervisor !== null) return managers[supervisor];
  if (!online) return 'not known while it is offline';
  return (
    <>
      no ·{' '}
      <Popover width={360} withArrow position="bottom-start">
        <Popover.Target>
          <UnstyledButton className={classes.fix}>How to make it one</UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>
          {platform.startsWith('win32') ? (
            <>
              <p className={classes.remedy}>In the Task Scheduler of {name} make a task “At log on” that runs this:</p>
              <CodeBlock code="ferry node run" label="command" wrap />
            </>
          ) : (
            <>
              <p className={classes.remedy}>
                It ends with its terminal and does not come back after a restart. Run this on {name}; where the relay
                itself runs, leave out the word node.
              </p>
              <CodeBlock code="ferry node service install" label="command" wrap />
            </>
          )}
        </Popover.Dropdown>
      </Popover>
    </>
  );
}
