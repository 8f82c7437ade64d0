/** Process id of the supervisor, in the environment of the setup that it starts. */
export const SETUP_VARIABLE = 'FERRY_SETUP_OF';

/** True in that process. Its children inherit the environment, and are none. */
export const isSetup = process.send !== undefined && process.env[SETUP_VARIABLE] === String(process.ppid);

// Settings with unknown names are reported.
Reflect.deleteProperty(process.env, SETUP_VARIABLE);
