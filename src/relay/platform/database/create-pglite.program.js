/**
 * Makes the files of a new embedded database: `node create-pglite.program.js FOLDER`. A process of its own, because the memory that initdb
 * takes (some 300 MB) stays with the process for minutes. Plain JavaScript, so that Jest can start it from source.
 */
import { PGlite } from '@electric-sql/pglite';
import { keepFirstTier } from './webassembly-tiers.js';

keepFirstTier();
const [folder] = process.argv.slice(2);
const database = await PGlite.create({ dataDir: folder, username: 'postgres', database: 'postgres' });
await database.close();
