import type { Invocation } from '../../invocation.js';
import { findConnection } from './find-connection.js';
import { ManagementApi } from './management-api.js';

/** A client for the management API of the selected relay. @throws CliError when not signed in */
export const connect = async (invocation: Invocation): Promise<ManagementApi> =>
  new ManagementApi(await findConnection(invocation));
