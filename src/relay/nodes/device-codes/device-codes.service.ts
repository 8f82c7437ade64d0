import { Inject, Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { createNodeId, type AccountId, type ClusterId, type NodeId } from '../../../kernel/ids.js';
import {
  createDeviceAuthorization,
  MAX_OPEN_CODES,
  parseDeviceCode,
  parseUserCode,
  type DeviceAuthorization,
} from '../../accounts/device-login/device-authorization.js';
import type { AuditActor } from '../../accounts/audit/audit-event.js';
import { CredentialsService } from '../../accounts/credentials.service.js';
import { ClusterDirectory } from '../../clusters/cluster-directory.js';
import { ClustersService } from '../../clusters/clusters.service.js';
import { roleNeeded } from '../../platform/access/permissions.js';
import type { Principal } from '../../platform/access/principal.js';
import { FixedWindow } from '../../platform/limits/fixed-window.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { addressBlock } from '../../platform/http/client-origin.js';
import { LinkNonces } from '../handshake/link-nonce.js';
import { deviceCodeMessage, isSignedBy, parsePublicKey } from '../handshake/node-signature.js';
import { isFingerprintOf } from '../../../kernel/fingerprint.js';
import { printable } from '../../../kernel/printable.js';
import type { DeviceCodeRequest } from './device-code-request.js';
import { DeviceCodesStore, type RequestingDevice, type DeviceNode } from './device-codes.store.js';

export const DEVICE_CODE_LIFETIME_MS = 600_000;

export interface DeviceApproval {
  /** Null: `home`. */
  readonly clusterId: ClusterId | null;
  /** Null: as the computer calls itself. */
  readonly name: string | null;
  /** Absent: it is compared later, at the confirmation of the node. */
  readonly fingerprint?: string | undefined;
}

const perMinute = (limit: number): FixedWindow => new FixedWindow({ limit, windowSeconds: 60 });

/**
 * Enrolment of a computer without a browser (RFC 8628, docs/reference/security.md#nodes). Whoever is tricked into approving a code would
 * send prompts to a stranger's computer, so an approval alone lets nothing in: the node is pending until somebody repeats the fingerprint
 * that only its own screen shows.
 */
@Injectable()
export class DeviceCodesService {
  /** Limited for each address. */
  private readonly newCodes = perMinute(10);
  /** By account: look-ups require a signed-in user. */
  private readonly lookUps = perMinute(10);
  /** By device code; more than twice as many as the interval asks for. */
  private readonly polls = perMinute(30);

  constructor(
    private readonly store: DeviceCodesStore,
    private readonly nonces: LinkNonces,
    private readonly clusters: ClustersService,
    private readonly directory: ClusterDirectory,
    private readonly credentials: CredentialsService,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** @throws FerryError `rate_limit_exceeded`, `invalid_request` (key, nonce or signature) */
  async issue(request: DeviceCodeRequest, address: string): Promise<DeviceAuthorization> {
    refuseAfter(this.newCodes.take(addressBlock(address)));
    const publicKey = parsePublicKey(request.public_key);
    if (publicKey === undefined) {
      throw new FerryError('invalid_request', 'The public key is not an ed25519 key.', { param: 'public_key' });
    }
    if (
      this.nonces.verify(request.nonce) !== 'valid' ||
      !isSignedBy(publicKey, deviceCodeMessage(request.nonce), request.signature)
    ) {
      throw new FerryError('invalid_request', 'The signature does not match key and nonce.', { param: 'signature' });
    }
    const issued = createDeviceAuthorization('node-device');
    await this.store.insert(
      {
        hash: issued.digest,
        userCode: issued.userCode,
        publicKey,
        nodeName: printable(request.node_name, 'unnamed'),
        platform: printable(request.platform, 'unknown'),
        agentVersion: printable(request.agent_version, 'unknown'),
        ip: address,
        lifetimeMs: DEVICE_CODE_LIFETIME_MS,
      },
      MAX_OPEN_CODES,
    );
    return issued;
  }

  /** The node, once it is confirmed. @throws FerryError `authorization_pending`, `slow_down`, `expired_token`, `access_denied` */
  async poll(deviceCode: string): Promise<DeviceNode> {
    const code = parseDeviceCode('node-device', deviceCode);
    if (code === undefined) throw expired();
    if (this.polls.take(code.digest.toString('hex')) !== undefined) throw new FerryError('slow_down');
    const found = await this.store.poll(code.digest);
    if (found === undefined) throw expired();
    if (found === 'removed') throw new FerryError('access_denied', 'The account refused this computer.');
    if (found === 'waiting') throw new FerryError('authorization_pending', 'This code has not been approved yet.');
    if (found.state === 'pending') {
      throw new FerryError(
        'authorization_pending',
        'The code is approved, but the fingerprint of the computer is not confirmed yet.',
      );
    }
    return found;
  }

  /** Describes the device that shows this code. @throws FerryError `not_found`, `rate_limit_exceeded` */
  async look(accountId: AccountId, typed: string): Promise<RequestingDevice> {
    const userCode = this.typed(accountId, typed);
    return (await this.store.look(userCode)) ?? noSuchCode();
  }

  /**
   * Makes the computer a pending node, of `home` when no cluster is named.
   * @throws FerryError `not_found`, `rate_limit_exceeded`, `cluster_not_found`, `invalid_credential`, `insufficient_role`,
   * `invalid_request` when the account is full or the fingerprint is another one
   */
  async approve(
    accountId: AccountId,
    typed: string,
    { clusterId: wanted, name, fingerprint }: DeviceApproval,
    actor: Principal | 'system',
  ): Promise<{ readonly nodeId: NodeId; readonly device: RequestingDevice }> {
    const userCode = this.typed(accountId, typed);
    if (wanted !== null && !(await this.directory.owns(accountId, wanted))) {
      throw new FerryError('cluster_not_found', undefined, { param: 'cluster_id' });
    }
    const clusterId = wanted ?? (await this.clusters.home(accountId)).id;
    const nodeId = createNodeId();
    const device = await this.store.approve(
      accountId,
      userCode,
      { nodeId, clusterId, name },
      {
        nodeLimit: this.config.settings.nodesPerAccount,
        confirmWithinMs: DEVICE_CODE_LIFETIME_MS,
        accept: ({ publicKey }) => {
          if (fingerprint !== undefined && !isFingerprintOf(publicKey, fingerprint)) throw otherFingerprint();
        },
        ...(actor !== 'system' && {
          permit: (manager) => this.credentials.requireStill(manager, actor, roleNeeded('nodes:write')),
        }),
      },
      actor,
    );
    return { nodeId, device: device ?? noSuchCode() };
  }

  /** @throws FerryError `not_found`, `rate_limit_exceeded` */
  async deny(accountId: AccountId, typed: string, actor: AuditActor): Promise<void> {
    if (!(await this.store.deny(accountId, this.typed(accountId, typed), actor))) noSuchCode();
  }

  private typed(accountId: AccountId, typed: string): string {
    refuseAfter(this.lookUps.take(accountId));
    return parseUserCode(typed) ?? noSuchCode();
  }
}

function refuseAfter(waitSeconds: number | undefined): void {
  if (waitSeconds === undefined) return;
  throw new FerryError('rate_limit_exceeded', 'Too many device codes in a minute.', { retryAfterSeconds: waitSeconds });
}

const otherFingerprint = (): FerryError =>
  new FerryError('invalid_request', 'This computer has another fingerprint.', { param: 'fingerprint' });

const expired = (): FerryError =>
  new FerryError('expired_token', 'This device code is unknown or expired: ask for a new one.');

function noSuchCode(): never {
  throw new FerryError(
    'not_found',
    'There is no pending enrolment with this code: it is mistyped, expired or already used.',
  );
}
