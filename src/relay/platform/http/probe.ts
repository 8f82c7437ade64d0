import type { IncomingMessage } from 'node:http';

/** True for health probes: they are frequent, and a draining relay still answers them. */
export const isProbe = (req: IncomingMessage): boolean => req.url === '/livez' || req.url === '/readyz';
