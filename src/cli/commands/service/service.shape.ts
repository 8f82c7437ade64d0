import { z } from 'zod';

/** `ferry service install` and `uninstall`, and the same of `ferry node`. */
export const serviceFileShape = z.looseObject({
  object: z.literal('service'),
  service: z.enum(['up', 'serve', 'node']),
  scope: z.enum(['user', 'system']),
  manager: z.enum(['systemd', 'launchd']),
  file: z.string(),
});

/** `ferry service status`: a row for each. */
export const serviceStatusShape = serviceFileShape.extend({ running: z.boolean() });
