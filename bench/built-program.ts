import path from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = path.resolve(import.meta.dirname, '../dist');

/** A part of Ferry as it is shipped: the compiled files, not the sources through a loader. @param file below `dist` */
export const builtProgram = async <Module>(file: string): Promise<Module> =>
  (await import(pathToFileURL(path.join(dist, file)).href)) as Module;
