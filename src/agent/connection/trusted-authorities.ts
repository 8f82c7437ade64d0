/** Certificate authorities for the relay: those of the system and those that the owner adds. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import tls from 'node:tls';
import { AdvisedError } from '../../kernel/errors/advised-error.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** `FERRY_CA_FILE` cannot be used; the message says why. */
export class CaFileError extends AdvisedError {
  override readonly name = 'CaFileError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, 'FERRY_CA_FILE=FILE with certificates in PEM', options);
  }
}

/**
 * All authorities as PEM: Node's defaults (`NODE_EXTRA_CA_CERTS` included) and the certificates of `file`. Both are needed, because a
 * list given to TLS replaces its default.
 * @throws CaFileError
 */
export async function trustedAuthorities(file: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new CaFileError(`cannot read FERRY_CA_FILE: ${(cause as Error).message}`, { cause });
  }
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) {
    throw new CaFileError(
      `FERRY_CA_FILE: there is no certificate in ${file} (PEM is needed: -----BEGIN CERTIFICATE-----)`,
    );
  }
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch (cause) {
      throw new CaFileError(`FERRY_CA_FILE: certificate ${index + 1} in ${file} is damaged`, { cause });
    }
  }
  return [...(await defaultAuthorities()), ...certificates];
}

async function defaultAuthorities(): Promise<readonly string[]> {
  // Node 22.15 and later report the certificates they trust, including the system's store if configured.
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  if (getCACertificates !== undefined) return getCACertificates('default');
  const extra = process.env['NODE_EXTRA_CA_CERTS'];
  if (extra === undefined || extra === '') return tls.rootCertificates;
  // Like Node, which warns at its start and continues without the file.
  const text = await readFile(extra, 'utf8').catch(() => '');
  return [...tls.rootCertificates, ...(text.match(CERTIFICATE) ?? [])];
}
