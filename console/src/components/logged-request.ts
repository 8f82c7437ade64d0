import type { Schemas } from '../api/management-api.types';

export type LoggedRequest = Schemas['LoggedRequest'];
