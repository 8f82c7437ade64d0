/**
 * `node unpack-folder.program.js ARCHIVE FOLDER`: a process of its own, because the 40 MB that pass through the memory of this one stay with it.
 */
import { unpackFolder } from './unpack-folder.js';

const [archive, folder] = process.argv.slice(2);
if (archive === undefined || folder === undefined) throw new Error('needs an archive and a folder');
await unpackFolder(archive, folder);
