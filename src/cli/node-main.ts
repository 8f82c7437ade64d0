#!/usr/bin/env node
/**
 * `ferry-node`: the commands of `ferry node` alone, for computers that are nothing but a node. The bundler makes one file of it, so
 * nothing that only the relay or the rest of the command line needs may be reachable from here.
 */
import type { Cli } from './invocation.js';
import { addNodeCommands } from './commands/node/node.command.js';
import { tolerateClosedPipes } from './core/output/closed-pipes.js';
import { createTerminal } from './core/output/terminal.js';
import { inOwnCommands } from './own-commands.js';
import { createRootCommand } from './root-command.js';
import { runProgram } from './run-program.js';

tolerateClosedPipes();
const terminal = createTerminal(process.stdout, process.stderr, process.env);
const cli: Cli = {
  terminal: {
    ...terminal,
    note: (line) => {
      terminal.note(inOwnCommands(line));
    },
    print: (line) => {
      terminal.print(inOwnCommands(line));
    },
  },
  env: process.env,
};
const program = createRootCommand('ferry-node', 'This computer as a node of a Ferry relay', cli);
addNodeCommands(program, cli);
process.exitCode = await runProgram(program, process.argv.slice(2), cli);
