import type { Operation } from '../api/operation-state';
import { HelpButton } from './help-button';
import { nodeCommands } from './node-commands';

const commands = nodeCommands('logs');

/** Where the log is that has the reason: beside the words of an engine, which often have no more than that. */
export const LogHelp = ({ operation: { node_name } }: { readonly operation: Operation }) => (
  <HelpButton
    label="Find the log"
    advice={`An engine writes its log where it was started. What Ferry asked of it is in the log of Ferry on ${node_name}:`}
    commands={commands}
  />
);
