import { IncomingMessage } from 'node:http';
import { pathOf } from '../request-path.js';
import { keepPipelinedRest } from './pipelined-rest.js';

/** Node's parser assigns whether the client asks for another protocol, and reads back whether it gets it. */
type Upgradable = IncomingMessage & { upgrade: boolean | null };

/**
 * The class of requests of a server that speaks another protocol on one path only. As soon as a server has a listener for upgrades,
 * Node gives up the socket of every request with an `Upgrade` header, while RFC 9110 §7.8 lets a server ignore the header, and HTTP
 * clients send `Upgrade: h2c` in good faith. Node 24 has `shouldUpgradeCallback` for this and Node 20 has nothing, but both read
 * `upgrade` from the request. CONNECT counts as an ordinary request, too: without a listener Node closes its socket without a response.
 */
export function requestsUpgradedAt(upgradePath: string): typeof IncomingMessage {
  class UpgradableRequest extends IncomingMessage {
    /** Only declared: an initial value would overwrite the value that the constructor of the base class assigns through `upgrade`. */
    declare asksForUpgrade: boolean | null;

    get upgrade(): boolean | null {
      return this.asksForUpgrade === true && this.method !== 'CONNECT' && pathOf(this.url ?? '') === upgradePath;
    }

    /** The constructor of the base class assigns before there is a socket. */
    set upgrade(asked: boolean | null) {
      this.asksForUpgrade = asked;
      if (asked === true && !this.upgrade) keepPipelinedRest(this.socket);
    }
  }
  return UpgradableRequest satisfies new (...parameters: never[]) => Upgradable;
}
