import type { Node } from '../../components/node-facts';
import { HelpButton } from '../../components/help-button';
import { nodeCommands } from '../../components/node-commands';
import classes from './computers.module.css';

const managers: Readonly<Record<NonNullable<Node['supervisor']>, string>> = {
  systemd: 'Yes, by systemd',
  launchd: 'Yes, by launchd',
};

/** Whether Ferry starts again with the computer; where it does not, how to make it so. */
export function ServiceState({ node: { supervisor, online, platform, name } }: { readonly node: Node }) {
  if (supervisor !== null) return managers[supervisor];
  if (!online) return 'Unknown while offline';
  const help = platform.startsWith('win32')
    ? {
        advice: `In the Task Scheduler of ${name} make a task “At log on” that runs this:`,
        commands: nodeCommands('run', platform),
      }
    : {
        advice: `Ferry ends with its terminal there, and does not come back after a restart. Run this on ${name}:`,
        commands: [
          ...nodeCommands('service install', platform),
          { where: 'The relay itself runs there', command: 'ferry service install' },
        ],
      };
  return (
    <span className={classes.service}>
      No <HelpButton label="Set up as a service" {...help} />
    </span>
  );
}
