/** The shapes of `--output json`: documented in docs/reference/command-line.md and checked by tests. */
import { z } from 'zod';
import { accountExportShape, deletedAccountShape, storedAccountShape } from './commands/accounts/accounts.shape.js';
import { backupShape, databaseMoveShape, restoreShape } from './commands/backup/backup.shape.js';
import { chatResponseShape } from './commands/chat/chat-response.shape.js';
import { connectShape } from './commands/connect/connect.shape.js';
import { envShape } from './commands/env/env.shape.js';
import { residentModelShape } from './commands/models/resident-model.shape.js';
import { diagnosisShape, joinedNodeShape, nodeStatusShape } from './commands/node/this-node.shape.js';
import { probeShape } from './commands/probe/probe.shape.js';
import { versionShape } from './commands/short-forms/version.js';
import { profileShape } from './commands/profiles/profile.shape.js';
import { statusShape } from './commands/status/status.shape.js';
import { stoppedShape } from './commands/up/stop-running.js';
import { topFrameShape } from './commands/top/top-frame.shape.js';
import { logLineShape } from './commands/local-logs/log-line.shape.js';
import type { Schemas } from './core/api/management-api.types.js';

/** `ferry models list` and `show` add these to a model: the best of all nodes that have it. */
const modelStateShape = z.object({
  state: z.string().describe('`loaded` on some online node, else `loading`, `unloading`, `failed` or `installed`'),
  reason: z.string().nullable().describe('why it is not loaded, such as `engine_unreachable`'),
  size_bytes: z.number().nullable(),
  context_length: z.number().nullable().describe('in tokens'),
});

/** A response of `/api`, by its schema name in the OpenAPI document, and the fields that the command adds. */
interface RelayShape {
  readonly schema: keyof Schemas;
  readonly added?: z.ZodObject;
}

export interface JsonShape {
  /**
   * `list`: `{object: 'list', data: [row, …]}`. `lines`: one document per line; the last line has the shape. `stream`: one document per
   * line; each line has the shape.
   */
  readonly kind: 'list' | 'document' | 'lines' | 'stream';
  /** Defined by the relay, or by the command line itself. */
  readonly shape: RelayShape | z.ZodType;
}

type Shape = keyof Schemas | JsonShape['shape'];

const named = (shape: Shape): JsonShape['shape'] => (typeof shape === 'string' ? { schema: shape } : shape);
const list = (shape: Shape): JsonShape => ({ kind: 'list', shape: named(shape) });
const document = (shape: Shape): JsonShape => ({ kind: 'document', shape: named(shape) });
const operation: JsonShape = {
  kind: 'lines',
  shape: {
    schema: 'Operation',
    added: z.object({ type: z.literal('result').describe('"progress" on all earlier lines') }),
  },
};

/** `ferry service install` and `uninstall`, and the same of `ferry node`. */
const serviceFileShape = z.looseObject({
  object: z.literal('service'),
  service: z.enum(['up', 'serve', 'node']),
  scope: z.enum(['user', 'system']),
  manager: z.enum(['systemd', 'launchd']),
  file: z.string(),
});

/** `ferry service status`: one row per service. */
const serviceStatusShape = serviceFileShape.extend({ running: z.boolean() });

/** `ferry uninstall`, and the same of `ferry node`. */
const uninstalledShape = z.looseObject({
  object: z.literal('uninstalled'),
  removed: z.array(z.string()).describe('paths'),
  kept: z.array(z.string()).describe('paths of the data that stays without --data'),
  program: z.string().nullable().describe('how the program itself is removed; null when it is among the removed files'),
});

/** By command. A command may add fields to a response of the relay; names and times are those of json-form.ts. */
export const jsonShapes: Readonly<Record<string, JsonShape>> = {
  status: document(statusShape),
  version: document(versionShape),
  down: document(stoppedShape),
  'accounts list': list(storedAccountShape),
  'accounts export': document(accountExportShape),
  'accounts delete': document(deletedAccountShape),
  backup: document(backupShape),
  restore: document(restoreShape),
  'db move': document(databaseMoveShape),
  probe: { kind: 'stream', shape: probeShape },
  whoami: document('WhoAmI'),
  'profiles list': list(profileShape),
  'clusters list': list('Cluster'),
  'clusters create': document('Cluster'),
  'clusters rename': document('Cluster'),
  'nodes list': list('Node'),
  'nodes show': document('Node'),
  'nodes history': document('NodeHistory'),
  'nodes rename': document('Node'),
  'nodes move': document('Node'),
  'nodes note': document('Node'),
  'nodes tag': document('Node'),
  'nodes untag': document('Node'),
  'nodes pause': document('Node'),
  'nodes resume': document('Node'),
  'nodes approve': document('Node'),
  'nodes confirm': document('Node'),
  'nodes join-token': document('JoinToken'),
  'nodes join-tokens': list('OpenJoinToken'),
  'nodes revoke-join-token': document('OpenJoinToken'),
  'models list': list({ schema: 'Model', added: modelStateShape }),
  'models show': document({ schema: 'Model', added: modelStateShape }),
  'models search': list('CatalogModel'),
  'models starters': list('StarterModel'),
  'models ps': list({ schema: 'NodeModel', added: residentModelShape }),
  'models install': operation,
  'models load': operation,
  'models unload': operation,
  'models remove': operation,
  'models jobs list': list('Operation'),
  'models jobs watch': operation,
  'models jobs cancel': document('Operation'),
  'models jobs retry': operation,
  'models jobs dismiss': document('Operation'),
  'node join': document(joinedNodeShape),
  'node status': document(nodeStatusShape),
  doctor: document(diagnosisShape),
  'node doctor': document(diagnosisShape),
  'node service install': document(serviceFileShape),
  'node service uninstall': document(serviceFileShape),
  'node service status': document(serviceStatusShape),
  uninstall: document(uninstalledShape),
  'node uninstall': document(uninstalledShape),
  'service install': document(serviceFileShape),
  'service uninstall': document(serviceFileShape),
  'service status': list(serviceStatusShape),
  'keys list': list('Key'),
  'keys create': document('NewKey'),
  'keys update': document('Key'),
  'keys roll': document('RolledKey'),
  'keys revoke': document('Key'),
  'extensions list': list('Extension'),
  'extensions on': list('Extension'),
  'extensions off': list('Extension'),
  'extensions reset': list('Extension'),
  'users list': list('User'),
  'users role': document('User'),
  'users remove': document('User'),
  'users invite': document('CreatedInvite'),
  'users invites': list('Invite'),
  'users revoke-invite': document('Invite'),
  'users tokens': list('CliToken'),
  'users revoke-token': document('CliToken'),
  usage: document('Usage'),
  audit: list('AuditEvent'),
  top: document(topFrameShape),
  requests: list('LoggedRequest'),
  explain: document('ExplainedRequest'),
  'node logs': { kind: 'stream', shape: logLineShape },
  logs: { kind: 'stream', shape: logLineShape },
  run: document(chatResponseShape),
  chat: document(chatResponseShape),
  env: document(envShape),
  connect: document(connectShape),
};
