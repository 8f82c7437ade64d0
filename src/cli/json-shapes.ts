/** What commands print with `--output json`: the contract that docs/reference/command-line.md shows and tests pin. */
import type { z } from 'zod';
import { auditEventShape } from './commands/audit/audit-event.shape.js';
import { chatAnswerShape } from './commands/chat/chat-answer.shape.js';
import { clusterShape } from './commands/clusters/cluster.shape.js';
import { envShape } from './commands/env/env.shape.js';
import { explainedRequestShape } from './commands/explain/explained-request.shape.js';
import { createdKeyShape, keyShape, rolledKeyShape } from './commands/keys/key.shape.js';
import { whoAmIShape } from './commands/login/who-am-i.shape.js';
import { modelShape, residentModelShape } from './commands/models/model.shape.js';
import { operationResultShape, operationShape } from './commands/models/operation.shape.js';
import {
  diagnosisShape,
  joinedNodeShape,
  nodeStatusShape,
  serviceFileShape,
  serviceStatusShape,
} from './commands/node/this-node.shape.js';
import { joinTokenShape, nodeShape } from './commands/nodes/node.shape.js';
import { profileShape } from './commands/profiles/profile.shape.js';
import { statusShape } from './commands/status/status.shape.js';
import { usageShape } from './commands/usage/usage.shape.js';
import { createdInviteShape, inviteShape, userShape } from './commands/users/user.shape.js';

export interface JsonShape {
  /** `list`: `{object: 'list', data: [row, …]}`. `lines`: one document per line, of which the last one is of the shape. */
  readonly kind: 'list' | 'document' | 'lines';
  readonly shape: z.ZodType;
}

const list = (shape: z.ZodType): JsonShape => ({ kind: 'list', shape });
const lines = (shape: z.ZodType): JsonShape => ({ kind: 'lines', shape });
const document = (shape: z.ZodType): JsonShape => ({ kind: 'document', shape });

/** By the words of the command. Fields may be added to what the relay answers; none is taken away or changes its meaning. */
export const jsonShapes: Readonly<Record<string, JsonShape>> = {
  status: document(statusShape),
  whoami: document(whoAmIShape),
  'profiles list': list(profileShape),
  'clusters list': list(clusterShape),
  'clusters create': document(clusterShape),
  'clusters rename': document(clusterShape),
  'nodes list': list(nodeShape),
  'nodes show': document(nodeShape),
  'nodes rename': document(nodeShape),
  'nodes move': document(nodeShape),
  'nodes pause': document(nodeShape),
  'nodes resume': document(nodeShape),
  'nodes approve': document(nodeShape),
  'nodes confirm': document(nodeShape),
  'nodes join-token': document(joinTokenShape),
  'models list': list(modelShape),
  'models ps': list(residentModelShape),
  'models install': lines(operationResultShape),
  'models load': lines(operationResultShape),
  'models unload': lines(operationResultShape),
  'models remove': lines(operationResultShape),
  'models jobs list': list(operationShape),
  'models jobs watch': lines(operationResultShape),
  'models jobs cancel': document(operationShape),
  'node join': document(joinedNodeShape),
  'node status': document(nodeStatusShape),
  'node doctor': document(diagnosisShape),
  'node service install': document(serviceFileShape),
  'node service uninstall': document(serviceFileShape),
  'node service status': document(serviceStatusShape),
  'keys list': list(keyShape),
  'keys create': document(createdKeyShape),
  'keys update': document(keyShape),
  'keys roll': document(rolledKeyShape),
  'keys revoke': document(keyShape),
  'users list': list(userShape),
  'users role': document(userShape),
  'users remove': document(userShape),
  'users invite': document(createdInviteShape),
  'users invites': list(inviteShape),
  'users revoke-invite': document(inviteShape),
  usage: document(usageShape),
  audit: list(auditEventShape),
  explain: document(explainedRequestShape),
  chat: document(chatAnswerShape),
  env: document(envShape),
};
