import type { Node } from '../../components/node-facts';
import { HelpButton } from '../../components/help-button';
import { nodeCommands } from '../../components/node-commands';

const managers: Readonly<Record<NonNullable<Node['supervisor']>, string>> = {
  systemd: 'Yes, by systemd',
  launchd: 'Yes, by launchd',
};

/** Whether Ferry starts again with the computer, which has to be online. */
export const ServiceText = ({ node: { supervisor } }: { readonly node: Node }) =>
  supervisor === null ? 'No' : managers[supervisor];

/** How to make it so, where it does not. */
export function serviceHelp({ supervisor, platform, name }: Node) {
  if (supervisor !== null) return undefined;
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
  return <HelpButton label="Set up as a service" {...help} />;
}
