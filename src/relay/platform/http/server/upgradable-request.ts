import { IncomingMessage } from 'node:http';

/** Node's parser puts here whether the client asks for another protocol, and reads from here whether it gets it. */
type Upgradable = IncomingMessage & { upgrade: boolean | null };

/**
 * The class of requests of a server that speaks another protocol on one path only. Node gives up the socket of every request with an
 * `Upgrade` header once somebody listens for upgrades, while RFC 9110 §7.8 lets a server ignore the header, and HTTP clients send
 * `Upgrade: h2c` in good faith. Node 24 has `shouldUpgradeCallback` for this and Node 20 has nothing, but both ask the request itself.
 * CONNECT counts as an ordinary request too: without a listener Node would close its socket without an answer.
 */
export function requestsUpgradedAt(upgradePath: string): typeof IncomingMessage {
  class UpgradableRequest extends IncomingMessage {
    /** Absent until the parser says so, since the constructor of the base class already assigns `upgrade`. */
    declare asksForUpgrade: boolean | null;

    get upgrade(): boolean | null {
      return this.asksForUpgrade === true && this.method !== 'CONNECT' && pathOf(this.url ?? '') === upgradePath;
    }

    set upgrade(asked: boolean | null) {
      this.asksForUpgrade = asked;
    }
  }
  return UpgradableRequest satisfies new (...parameters: never[]) => Upgradable;
}

/** Also of the absolute form, which servers must take (RFC 9112 §3.2.2). */
const pathOf = (url: string): string | undefined =>
  url.startsWith('/') ? url.split('?', 1)[0] : URL.canParse(url) ? new URL(url).pathname : undefined;
