import type { ManagementRoom } from './management-route.js';
import { accountRoom } from './rooms/account-room.js';
import { clustersRoom } from './rooms/clusters-room.js';
import { deviceLoginRoom } from './rooms/device-login-room.js';
import { insightRoom } from './rooms/insight-room.js';
import { keysRoom } from './rooms/keys-room.js';
import { nodesRoom } from './rooms/nodes-room.js';
import { operationsRoom } from './rooms/operations-room.js';
import { selfRoom } from './rooms/self-room.js';
import { usersRoom } from './rooms/users-room.js';

/** In the order in which they are shown. */
export const managementRooms: readonly ManagementRoom[] = [
  accountRoom,
  deviceLoginRoom,
  usersRoom,
  keysRoom,
  clustersRoom,
  nodesRoom,
  operationsRoom,
  insightRoom,
  selfRoom,
];
