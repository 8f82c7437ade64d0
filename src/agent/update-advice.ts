/** Tells the owner when and how to update this node. Advice only: link versions alone decide whether a relay admits a node. */
import { bundle } from '../kernel/bundle.js';
import { shellString } from '../kernel/shell-words.js';
import { agentVersion } from './agent-version.js';
import { addressText, isLoopback } from './connection/relay-address.js';

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[\w.-]{1,100})?(?:\+|$)/;

/** Compares by number, part by part; a pre-release is older than its release. An invalid version is never older. */
export function isOlderVersion(version: string, than: string): boolean {
  const [own, other] = [VERSION.exec(version), VERSION.exec(than)];
  if (own === null || other === null) return false;
  for (const part of [1, 2, 3]) {
    const difference = Number(own[part]) - Number(other[part]);
    if (difference !== 0) return difference < 0;
  }
  return own[4] !== undefined && other[4] === undefined;
}

/** The update command. The one-file agent is fetched from its relay, in the version that fits the relay. */
export function updateLine(relay: URL): string {
  if (bundle === undefined) return 'git pull && npm ci && npm run build, where this Ferry was built';
  return installLine(relay, process.platform);
}

/** Compares this node's version with the relay's and logs the update command once. */
/** Run again without a token, the installer updates what is there. */
export function installLine(relay: URL, platform: NodeJS.Platform): string {
  const base = addressText(relay);
  // The scripts refuse such a relay otherwise. Whoever joined it has accepted that.
  const insecure = relay.protocol === 'http:' && !isLoopback(relay.hostname);
  if (platform !== 'win32') {
    return `curl -fsSL ${shellString(`${base}/install.sh`, 'sh')} | sh${insecure ? ' -s -- --force-insecure' : ''}`;
  }
  const script = shellString(`${base}/install.ps1`, 'powershell');
  return insecure ? `& ([scriptblock]::Create((irm ${script}))) -ForceInsecure` : `irm ${script} | iex`;
}

export class UpdateAdvice {
  /** Reported by the relay's last READY; null before. */
  relayVersion: string | null = null;
  /** The update command; null when no update is needed. */
  update: string | null = null;

  constructor(
    private readonly relay: URL,
    private readonly log: { warn(details: object, message: string): void },
  ) {}

  /** Once for each version of the relay, not at every connection. */
  admittedBy(relayVersion: string): void {
    const known = relayVersion === this.relayVersion;
    this.relayVersion = relayVersion;
    this.update = isOlderVersion(agentVersion, relayVersion) ? updateLine(this.relay) : null;
    if (this.update !== null && !known) this.warn('this node is older than its relay');
  }

  /** No common link version. The relay's own agent fits it, whichever of the two is older. */
  notUnderstood(): void {
    const known = this.update !== null;
    this.update = updateLine(this.relay);
    if (!known) this.warn('this node and its relay have no link version in common');
  }

  private warn(what: string): void {
    const { relayVersion, update } = this;
    this.log.warn({ version: agentVersion, relay_version: relayVersion }, `${what}; update it with: ${update ?? ''}`);
  }
}
