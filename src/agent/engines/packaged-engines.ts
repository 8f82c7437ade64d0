import { fileURLToPath } from 'node:url';
import { bundle } from '../../kernel/bundle.js';

/**
 * The built-in engine (`llamacpp/`) and its models (`models/`): the same distance from sources and from the build; the one-file agent
 * has them beside itself where its installer put them, and serves without them otherwise.
 */
export const packagedEngines = fileURLToPath(
  new URL(bundle === undefined ? '../../../engines' : './engines', import.meta.url),
);
