/** Checks the certificate of the relay: expired, for another name, incomplete chain, unknown authority. */
import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { networkFailure } from '../connection/network-failure.js';
import { ok, problem, type Finding } from './finding.js';
import { hostOf, opened, portOf } from './opened-socket.js';

const CHECK = 'relay_tls';
const DAY_MS = 86_400_000;
/** Automatic renewal should have happened by then. */
const RENEW_WITHIN_DAYS = 14;
/** A chain that refers to itself must not loop; real ones are shorter. */
const MAX_CHAIN = 10;

/** The certificates that the relay sent, its own first. */
interface Seen {
  readonly failure: string | undefined;
  readonly chain: readonly DetailedPeerCertificate[];
}

export async function checkCertificate(relay: URL, ca: string[] | undefined): Promise<Finding> {
  const host = hostOf(relay);
  let seen: Seen;
  try {
    seen = await look(relay, ca);
  } catch (error) {
    const next = `check that port ${portOf(relay)} speaks TLS; the address of a relay without TLS begins with http://`;
    return problem('fail', CHECK, `no TLS connection (${networkFailure(error)})`, next);
  }
  const { failure, chain } = seen;
  const [own] = chain;
  const issuer = chain.length > 0 ? nameOf(chain.at(-1)?.issuer) : null;
  const facts = {
    valid_to: own?.valid_to,
    issuer,
    chain: chain.map(({ subject }) => nameOf(subject)),
    error: failure ?? null,
  };
  if (failure !== undefined) return untrusted(failure, host, own, facts);
  const days = Math.floor((Date.parse(own?.valid_to ?? '') - Date.now()) / DAY_MS);
  const until = `valid until ${own?.valid_to ?? 'an unknown date'}`;
  if (days < RENEW_WITHIN_DAYS) {
    const next = 'renew the certificate of the relay, and check why it is not renewed automatically';
    return problem('warn', CHECK, `the certificate expires in ${days} days (${until})`, next, facts);
  }
  return ok(CHECK, `the certificate is trusted and ${until}`, facts);
}

/** Nothing is sent over this connection, so a certificate that is not trusted can be looked at. */
async function look(relay: URL, ca: string[] | undefined): Promise<Seen> {
  const host = hostOf(relay);
  const socket = connect({
    host,
    port: portOf(relay),
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
  });
  let seen: Seen = { failure: undefined, chain: [] };
  // The certificate is gone with the connection.
  socket.once('secureConnect', () => {
    seen = { failure: socket.authorized ? undefined : failureOf(socket), chain: chainOf(socket) };
  });
  await opened(socket, 'secureConnect');
  return seen;
}

/** A code of OpenSSL or Node, although the types say that it is an error. */
const failureOf = ({ authorizationError }: TLSSocket): string => {
  const failure: unknown = authorizationError;
  if (failure instanceof Error) return (failure as NodeJS.ErrnoException).code ?? failure.message;
  return typeof failure === 'string' ? failure : 'unknown';
};

function chainOf(socket: TLSSocket): readonly DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  // Undefined behind an issuer that is not known, whatever the types say.
  let next = socket.getPeerCertificate(true) as DetailedPeerCertificate | undefined;
  while (next !== undefined && chain.length < MAX_CHAIN && !chain.includes(next) && Object.keys(next).length > 0) {
    chain.push(next);
    next = next.issuerCertificate;
  }
  return chain;
}

function untrusted(
  failure: string,
  host: string,
  own: DetailedPeerCertificate | undefined,
  facts: Finding['facts'],
): Finding {
  const fail = (summary: string, next: string): Finding => problem('fail', CHECK, summary, next, facts);
  switch (failure) {
    case 'CERT_HAS_EXPIRED':
      return fail(
        `the certificate expired on ${own?.valid_to ?? 'an unknown date'}`,
        'renew the certificate of the relay; if it is valid, set the clock of this computer',
      );
    case 'CERT_NOT_YET_VALID':
      return fail(
        `the certificate is not valid before ${own?.valid_from ?? 'a later date'}`,
        'set the clock of this computer, or of the computer that issued the certificate',
      );
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return fail(
        `the certificate is not for ${host}, but for ${namesOf(own)}`,
        `use one of these names, or give the relay a certificate for ${host}`,
      );
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return fail(
        `the certificate was issued by an authority that this computer does not trust: ${nameOf(own?.issuer)}`,
        'set FERRY_CA_FILE to the certificate of that authority, or use a certificate of a public authority',
      );
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return fail(
        `the certificate was issued by ${nameOf(own?.issuer)}, whose certificate the server does not send and this computer does not have`,
        'configure the server to send the whole chain (fullchain.pem); for a private authority, set FERRY_CA_FILE to its certificate',
      );
    default:
      return fail(`the certificate is not trusted (${failure})`, 'check the certificate of the relay');
  }
}

const nameOf = (party: DetailedPeerCertificate['subject'] | undefined): string => {
  // Neither is always there, whatever the types say.
  const { CN: common, O: organization } = (party ?? {}) as { readonly CN?: unknown; readonly O?: unknown };
  const name = [common, organization].find((candidate) => typeof candidate === 'string');
  return (name ?? 'an unnamed authority').slice(0, 200);
};

const namesOf = (own: DetailedPeerCertificate | undefined): string =>
  own?.subjectaltname?.replaceAll(/(DNS|IP Address):/g, '').slice(0, 200) ?? nameOf(own?.subject);
