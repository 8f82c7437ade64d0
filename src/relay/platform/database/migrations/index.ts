/**
 * Every migration, oldest first. Each feature adds its own file `<timestamp>-<name>.ts` and its line here: no globs, because
 * they differ between source and build.
 */
import type { MigrationInterface } from 'typeorm';
import { Accounts1763600000000 } from './1763600000000-accounts.js';
import { Nodes1763600001000 } from './1763600001000-nodes.js';

type MigrationClass = new () => MigrationInterface;

export const migrations: MigrationClass[] = [Accounts1763600000000, Nodes1763600001000];
