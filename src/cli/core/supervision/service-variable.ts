/** Set for a program that the service manager of the system runs, to the name of the service. */
export const SERVICE_VARIABLE = 'FERRY_SERVICE';
