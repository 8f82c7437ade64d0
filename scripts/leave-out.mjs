/**
 * What packages load at their start for functions that Ferry does not use stays out of the bundles: V8 reads every line of a file, and modules
 * of packages run. A version that starts to use one of these fails at once, because what is left out has no contents.
 */
import { readFileSync } from 'node:fs';

/** Uploads of forms, bodies that Express reads, numbers of telephones, patterns of file names, SQL for people. */
const unusedPackages = /^(?:multer|body-parser|libphonenumber-js|tinyglobby|@sqltools\/formatter)(?:\/|$)/;

/** TypeORM loads the code for all databases that it knows. */
const otherDatabases =
  /[\\/]typeorm[\\/](?:driver[\\/](?:aurora-|better-|capacitor|cockroachdb|cordova|expo|mongodb|mysql|nativescript|oracle|react-|sap|spanner|sql)|(?:entity-manager|repository)[\\/]Mongo)/;

/** Its classes exist, because others name them, and have nothing in them. */
const emptyClasses = (code) =>
  [...code.matchAll(/^exports\.(\w+) = \1;$/gm)].map(([, name]) => `exports.${name} = class ${name} {};`).join('\n');

/** Of two exports that older versions of TypeORM have: it would load the whole package a second time, beside the one in the bundle. */
const typeormCompat = /[\\/]@nestjs[\\/]typeorm[\\/]dist[\\/]common[\\/]typeorm-compat\.js$/;

/**
 * The decorators of `@nestjs/swagger`. The relay serves the generated document and never reads what they note down; the package would cost
 * every start 0.2 s, and is no part of the installed program.
 */
const documentDecorators = [
  'ApiBody',
  'ApiExtension',
  'ApiExtraModels',
  'ApiOperation',
  'ApiParam',
  'ApiProperty',
  'ApiPropertyOptional',
  'ApiResponse',
  'ApiTags',
];
const withoutEffect = `const decorator = () => () => undefined;\nexport { ${documentDecorators
  .map((name) => `decorator as ${name}`)
  .join(', ')} };\n`;

/** Zod's messages in 50 languages. */
const zodLocales = /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/;

/** Of undici, only its dispatchers and `request` are used: not `fetch`, WebSockets, caches, interceptors and its own test doubles. */
const undiciExtras =
  /[\\/]undici[\\/]lib[\\/](?:mock|interceptor|cache|web[\\/](?:cache|cookies|eventsource|websocket|fetch[\\/](?:index|request|response)\.js))/;

/** To learn whether it runs at Cloudflare, `pg` makes a `Response`, for which Node 20 loads all of its `fetch`. */
const pgStream = /[\\/]pg[\\/]lib[\\/]stream\.js$/;

/** The packages give Node their CommonJS form, of which every importer copies all exports. */
export const modernForms = {
  rxjs: './node_modules/rxjs/dist/esm/index.js',
  'rxjs/operators': './node_modules/rxjs/dist/esm/operators/index.js',
};

const empty = 'module.exports = {};';
/** Each export is a class, which its importers may extend or make an instance of. */
const classes = 'module.exports = new Proxy({}, { get: () => class {} });';

export const leaveOut = {
  name: 'leave-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: unusedPackages }, ({ path: name }) => ({ path: name, namespace: 'unused' }));
    onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: empty }));
    onResolve({ filter: /^nest-swagger$/ }, ({ path: name }) => ({ path: name, namespace: 'document-decorators' }));
    onLoad({ filter: /./, namespace: 'document-decorators' }, () => ({ contents: withoutEffect }));
    onLoad({ filter: otherDatabases }, ({ path: file }) => ({ contents: emptyClasses(readFileSync(file, 'utf8')) }));
    onLoad({ filter: undiciExtras }, () => ({ contents: classes }));
    onLoad({ filter: pgStream }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replace('if (isCloudflareRuntime())', 'if (false)'),
    }));
    onLoad({ filter: typeormCompat }, () => ({
      contents: 'export const Connection = undefined;\nexport const AbstractRepository = undefined;\n',
    }));
    onLoad({ filter: zodLocales }, () => ({ contents: "export { default as en } from './en.js';\n" }));
  },
};
