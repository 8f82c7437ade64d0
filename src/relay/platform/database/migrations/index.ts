/**
 * Every migration, oldest first. Each feature adds its own file `<timestamp>-<name>.ts` and its line here: no globs, because
 * they differ between source and build.
 */
import type { MigrationInterface } from 'typeorm';

type MigrationClass = new () => MigrationInterface;

export const migrations: MigrationClass[] = [];
