/** Directories of Ferry on this computer, the same for relay, agent and command line. */
import path from 'node:path';
import envPaths from 'env-paths';

const xdg = envPaths('ferry', { suffix: '' });

type Environment = Readonly<Record<string, string | undefined>>;

/** Database, node identity, models, logs: `FERRY_DATA_DIR`, else the XDG data directory. */
export const dataDirectory = (env: Environment): string => directory(env['FERRY_DATA_DIR'], xdg.data);

/** Profiles and credentials of the command line: `FERRY_CONFIG_DIR`, else the XDG configuration directory. */
export const configDirectory = (env: Environment): string => directory(env['FERRY_CONFIG_DIR'], xdg.config);

/** An empty variable is not set, as for all settings. As a path it would be the working directory, which then got all the files. */
const directory = (variable: string | undefined, fallback: string): string =>
  path.resolve(variable === undefined || variable === '' ? fallback : variable);
