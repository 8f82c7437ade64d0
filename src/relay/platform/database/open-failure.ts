/** Why a database could not be opened, in words, and what to do about it. */

interface OpenFailure {
  readonly reason: string;
  readonly advice: string | undefined;
}

/** Numbers of WASI, which the embedded database reports for what the operating system refuses. */
const WASI_CODES: Readonly<Record<string, string>> = { '2': 'EACCES', '51': 'ENOSPC', '63': 'EPERM', '69': 'EROFS' };

/** Codes of Node and of Postgres. */
const adviceOnPostgres: Readonly<Record<string, string>> = {
  ENOTFOUND: 'check the host in DATABASE_URL, and whether this computer is online',
  EAI_AGAIN: 'check the host in DATABASE_URL, and whether this computer is online',
  ECONNREFUSED: 'start Postgres there, or correct host and port in DATABASE_URL',
  ETIMEDOUT: 'check host, port and firewall: nothing answers there',
  '28P01': 'correct user and password in DATABASE_URL',
  '28000': 'correct user and password in DATABASE_URL',
  '3D000': 'create the database first: createdb NAME',
  '42501': 'give the user of DATABASE_URL the right to create tables',
};

/** @param postgresUrl of Postgres; undefined: the embedded database */
export function openFailure(postgresUrl: string | undefined, error: unknown): OpenFailure {
  const reported = reasonOf(error);
  const code = codeOf(error);
  if (postgresUrl !== undefined) {
    const reason = code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? `there is no host ${hostOf(postgresUrl)}` : reported;
    return { reason, advice: code === undefined ? undefined : adviceOnPostgres[code] };
  }
  const fileCode = code ?? codeInOutput(reported);
  switch (fileCode) {
    case 'ENOSPC':
    case 'EDQUOT':
      return {
        reason: 'the disk is full',
        advice: 'free some space there, or choose another directory with --data-dir',
      };
    case 'EACCES':
    case 'EPERM':
      return { reason: 'this user may not write there', advice: 'choose another directory with --data-dir' };
    case 'EROFS':
      return { reason: 'that disk is read only', advice: 'choose another directory with --data-dir' };
    default:
      return { reason: reported, advice: undefined };
  }
}

/** Finds the error code in the output of the program that makes the folder, as Node prints an uncaught error. */
function codeInOutput(reported: string): string | undefined {
  const [, errno, name] = /\berrno: (\d+)|\bcode: '(E[A-Z]+)'/.exec(reported) ?? [];
  return name ?? WASI_CODES[errno ?? ''];
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : 'of that name');

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errno, errors } = error as {
    readonly code?: unknown;
    readonly errno?: unknown;
    readonly errors?: readonly unknown[];
  };
  if (typeof code === 'string') return code;
  if (typeof errno === 'number' && errno > 0) return WASI_CODES[String(errno)];
  return errors === undefined ? undefined : codeOf(errors[0]);
}

/** A name with several addresses fails with several errors and no message of its own. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { message, errors } = error as { readonly message?: string; readonly errors?: readonly unknown[] };
  return errors === undefined ? (message ?? 'unknown') : errors.map(reasonOf).join(', ');
}
