/** Environment variable that holds the name of the service when the system's service manager runs the program. */
export const SERVICE_VARIABLE = 'FERRY_SERVICE';
