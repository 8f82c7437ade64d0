import type { IncomingMessage } from 'node:http';

/** Whether it asks how the relay is: probes come every few seconds, and must be answered truly by a relay that stops. */
export const isProbe = (req: IncomingMessage): boolean => req.url === '/livez' || req.url === '/readyz';
