import path from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = path.resolve(import.meta.dirname, '../dist');

/** Path of a compiled file, so that the benchmark runs the shipped code. @param file below `dist` */
export const builtProgram = async <Module>(file: string): Promise<Module> =>
  (await import(pathToFileURL(path.join(dist, file)).href)) as Module;
