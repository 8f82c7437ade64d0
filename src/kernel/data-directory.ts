/** Directories of Ferry on this computer, the same for relay, agent and command line. */
import path from 'node:path';
import envPaths from 'env-paths';

const xdg = envPaths('ferry', { suffix: '' });

type Environment = Readonly<Record<string, string | undefined>>;

/** Database, node identity, models, logs: `FERRY_DATA_DIR`, else the XDG data directory. */
export const dataDirectory = (env: Environment): string => path.resolve(env['FERRY_DATA_DIR'] ?? xdg.data);

/** Profiles and credentials of the command line: `FERRY_CONFIG_DIR`, else the XDG configuration directory. */
export const configDirectory = (env: Environment): string => path.resolve(env['FERRY_CONFIG_DIR'] ?? xdg.config);
