/** The programs that the service manager of a system can run. */
import path from 'node:path';
import { dataDirectory } from '../../../kernel/data-directory.js';
import { allocatorEnvironment } from '../../core/supervision/allocator-environment.js';
import { SERVICE_VARIABLE } from '../../core/supervision/service-variable.js';
import type { Environment } from '../../invocation.js';

export const serviceNames = ['up', 'serve', 'node'] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface ServiceDescription {
  readonly name: ServiceName;
  /** For people: completes "… runs as a service". */
  readonly what: string;
  /** Arguments of `ferry`. */
  readonly words: readonly string[];
  /** Whether it also gets the address to listen on. */
  readonly listens: boolean;
  /**
   * A second `ferry up` on the same data ends with 0, because one runs already: it must not be started again and again. The others end
   * with 0 only when they are told to.
   */
  readonly restart: 'always' | 'on-failure';
  /** True when the output is for people and has the API key, which must not get into a log. */
  readonly hasSecretOutput: boolean;
  /** How a person stops one that is no service. */
  readonly stop: string;
  /** Where its process holds the lock, below the data directory, and the name of that lock. */
  readonly lock: InstanceName;
  /** The holder of this lock reports `ready`. A program that is no service, and a relay on Postgres, may run beside others on one directory. */
  readonly readiness: InstanceName;
}

interface InstanceName {
  readonly folder: string;
  readonly name: string;
}

const READINESS = 'service';

export const services: Readonly<Record<ServiceName, ServiceDescription>> = {
  up: {
    name: 'up',
    what: 'Ferry (relay and node)',
    words: ['up'],
    listens: true,
    restart: 'on-failure',
    hasSecretOutput: true,
    stop: 'ferry down',
    lock: { folder: '', name: 'up' },
    readiness: { folder: '', name: 'up' },
  },
  serve: {
    name: 'serve',
    what: 'The relay',
    words: ['serve'],
    listens: true,
    restart: 'always',
    hasSecretOutput: false,
    stop: 'Ctrl-C where it was started',
    lock: { folder: 'relay', name: 'relay' },
    readiness: { folder: 'relay', name: READINESS },
  },
  node: {
    name: 'node',
    what: 'The node',
    words: ['node', 'run'],
    listens: false,
    restart: 'always',
    hasSecretOutput: false,
    stop: 'Ctrl-C where it was started',
    lock: { folder: 'node', name: 'node' },
    readiness: { folder: 'node', name: READINESS },
  },
};

/** Variables that every program reads, and a service would not have. Proxies may be written in small letters, too. */
const INHERITED = /^(HF_(TOKEN|ENDPOINT)$|NODE_EXTRA_CA_CERTS$|(https?|no|all)_proxy$)/i;
const NODE_SETTINGS = /^FERRY_(NODE|DISCOVERY|REMOTE_MEDIA)(_|$)/;
/** A relay has many settings, and takes all of them from here. */
const RELAY_SETTINGS = /^(FERRY_|(DATABASE|NATS)_URL$)/;
/** Variables of the command line alone. A relay's public address is a setting of the same name as the one of the command line. */
const COMMAND_LINE = /^FERRY_(TOKEN|API_KEY|PROFILE|SERVICE)$/;
/** Paths, which are made absolute because a service has another working directory. */
const FILES = [
  'FERRY_CA_FILE',
  'FERRY_CONFIG_DIR',
  'FERRY_CONFIG_FILE',
  'FERRY_NODE_ENGINES_FILE',
  'FERRY_BOOTSTRAP_CREDENTIALS_FILE',
  'NODE_EXTRA_CA_CERTS',
];
const FILES_OF_NODE = ['FERRY_CA_FILE', 'FERRY_CONFIG_FILE', 'FERRY_NODE_ENGINES_FILE', 'NODE_EXTRA_CA_CERTS'];

/** Always includes the data directory, whose default depends on the environment. */
export function environmentOf(name: ServiceName, env: Environment): Record<string, string> {
  const environment: Record<string, string> = {
    FERRY_DATA_DIR: dataDirectory(env),
    [SERVICE_VARIABLE]: name,
    ...allocatorEnvironment,
  };
  for (const [variable, value = ''] of Object.entries(env)) {
    if (value === '' || variable in environment || COMMAND_LINE.test(variable)) continue;
    const isRequested =
      INHERITED.test(variable) ||
      (name === 'node'
        ? NODE_SETTINGS.test(variable) || FILES_OF_NODE.includes(variable)
        : RELAY_SETTINGS.test(variable));
    if (isRequested) environment[variable] = FILES.includes(variable) ? path.resolve(value) : value;
  }
  return environment;
}
