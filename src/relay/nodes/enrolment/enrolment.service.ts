import { Inject, Injectable } from '@nestjs/common';
import { credentialDigest, parseCredential } from '../../../kernel/credential.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { createNodeId, type AccountId, type ClusterId, type NodeId } from '../../../kernel/ids.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { HandshakeLimits } from '../handshake/handshake-limits.js';
import { enrolmentMessage, isSignedBy, parsePublicKey } from '../handshake/node-signature.js';
import { NodesStore } from '../nodes.store.js';
import { printable } from '../../../kernel/printable.js';
import type { EnrolmentRequest } from './enrolment-request.js';

export interface Enrolment {
  readonly nodeId: NodeId;
  readonly clusterId: ClusterId;
  readonly accountId: AccountId;
}

/** Turns a computer that holds a join token into a node (docs/reference/security.md#nodes). */
@Injectable()
export class EnrolmentService {
  constructor(
    private readonly store: NodesStore,
    private readonly limits: HandshakeLimits,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /**
   * @param address of the computer that asks; failures are counted against it
   * @throws FerryError `invalid_credential` for a token that is not good (any more), `invalid_request`, `rate_limit_exceeded`
   */
  async enrol(request: EnrolmentRequest, address: string): Promise<Enrolment> {
    const waitSeconds = this.limits.blocked(address) ?? this.limits.enrolment(address);
    if (waitSeconds !== undefined) {
      throw new FerryError('rate_limit_exceeded', 'Too many enrolments from this address.', {
        retryAfterSeconds: waitSeconds,
      });
    }
    const token = parseCredential('join-token', request.join_token);
    if (token === undefined) return this.refuseToken(address);
    const publicKey = parsePublicKey(request.public_key);
    if (publicKey === undefined) {
      throw new FerryError('invalid_request', 'The public key is not an ed25519 key.', { param: 'public_key' });
    }
    if (!isSignedBy(publicKey, enrolmentMessage(token.text), request.signature)) {
      this.limits.failed(address);
      throw new FerryError('invalid_request', 'The signature does not match key and token.', { param: 'signature' });
    }
    const nodeId = createNodeId();
    const owner = await this.store.enrol(
      credentialDigest(token),
      {
        id: nodeId,
        publicKey,
        name: printable(request.node_name, 'unnamed'),
        platform: printable(request.platform, 'unknown'),
        agentVersion: printable(request.agent_version, 'unknown'),
      },
      this.config.settings.nodesPerAccount,
      { ip: address },
    );
    return owner === undefined ? this.refuseToken(address) : { nodeId, ...owner };
  }

  private refuseToken(address: string): never {
    this.limits.failed(address);
    throw new FerryError(
      'invalid_credential',
      'This join token is unknown, used or expired: a token works once and for a short time. Create a new one.',
    );
  }
}
