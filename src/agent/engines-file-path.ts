import path from 'node:path';
import type { AgentSettings } from './agent-settings.js';
import { nodeDirectory } from './enrolment/node-identity.js';

/** Where the engines of this node are configured. */
export const enginesFileOf = (settings: AgentSettings, directory: string): string =>
  settings.enginesFile ?? path.join(nodeDirectory(directory), 'engines.json');
