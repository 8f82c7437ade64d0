/** A certificate authority for one test, and the certificates that it signs. */
import { generate, type CertificateExtension } from 'selfsigned';

interface Issued {
  readonly key: string;
  readonly cert: string;
}

interface Validity {
  readonly from: Date;
  readonly to: Date;
}

export interface TestAuthority {
  /** PEM. */
  readonly certificate: string;
  /** A server's key and certificate (PEM) for these DNS names. */
  issue(...names: readonly string[]): Promise<Issued>;
  issueFor(names: readonly string[], valid: Validity): Promise<Issued>;
}

const named = (value: string) => [{ name: 'commonName', value }];

export async function createTestAuthority(): Promise<TestAuthority> {
  const extensions: CertificateExtension[] = [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
  ];
  const authority = await generate(named('Ferry test authority'), { keyType: 'ec', algorithm: 'sha256', extensions });
  const issue = async (names: readonly string[], valid?: Validity): Promise<Issued> => {
    const altNames = names.map((value) => ({ type: 2 as const, value }));
    const issued = await generate(named(names[0] ?? 'nobody'), {
      keyType: 'ec',
      algorithm: 'sha256',
      ca: { key: authority.private, cert: authority.cert },
      extensions: [{ name: 'subjectAltName', altNames }],
      ...(valid !== undefined && { notBeforeDate: valid.from, notAfterDate: valid.to }),
    });
    return { key: issued.private, cert: issued.cert };
  };
  return { certificate: authority.cert, issue: (...names) => issue(names), issueFor: issue };
}
