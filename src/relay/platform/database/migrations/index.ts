/**
 * Every migration, oldest first. A change of the schema adds a file `<timestamp>-<name>.ts` and its line here: no globs, because they differ
 * between source and build.
 */
import type { MigrationInterface } from 'typeorm';
import { FirstVersion1764201600000 } from './1764201600000-first-version.js';
import { KeptFailures1795900000000 } from './1795900000000-kept-failures.js';
import { NodeSamples1795900001000 } from './1795900001000-node-samples.js';
import { AccountExtensions1795921200000 } from './1795921200000-account-extensions.js';
import { NodeNotes1796083200000 } from './1796083200000-node-notes.js';
import { NodeStops1796169600000 } from './1796169600000-node-stops.js';

type MigrationClass = new () => MigrationInterface;

export const migrations: MigrationClass[] = [
  FirstVersion1764201600000,
  KeptFailures1795900000000,
  NodeSamples1795900001000,
  AccountExtensions1795921200000,
  NodeNotes1796083200000,
  NodeStops1796169600000,
];
