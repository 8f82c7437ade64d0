import type { Invocation } from '../../invocation.js';
import { findConnection } from './find-connection.js';
import { ManagementApi } from './management-api.js';

/** The management API of the relay that this invocation means. @throws CliError when not signed in */
export const connect = async (invocation: Invocation): Promise<ManagementApi> =>
  new ManagementApi(await findConnection(invocation));
