import { Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { parseUserCode } from '../../accounts/device-login/device-authorization.js';
import { DeviceLoginsService } from '../../accounts/device-login/device-logins.service.js';
import type { PendingDeviceLogin } from '../../accounts/device-login/device-logins.store.js';
import { SessionsService } from '../../accounts/sessions/sessions.service.js';
import { permits } from '../../platform/access/permissions.js';
import type { Principal } from '../../platform/access/principal.js';
import type { ClientOrigin } from '../../platform/http/client-origin.js';
import { DeviceCodesService, type DeviceApproval } from '../device-codes/device-codes.service.js';
import type { RequestingDevice } from '../device-codes/device-codes.store.js';
import { NodesService, type NodeView } from '../nodes.service.js';
import { NODE_PERMISSION } from './device-record.js';

export type WaitingDevice =
  | { readonly type: 'login'; readonly login: PendingDeviceLogin }
  | { readonly type: 'node'; readonly device: RequestingDevice };

export type ApprovedDevice =
  | { readonly type: 'login'; readonly login: PendingDeviceLogin }
  | { readonly type: 'node'; readonly device: RequestingDevice; readonly node: NodeView };

/** Both kinds of device authorization behind one code, so that a person need not know which kind theirs is. */
@Injectable()
export class DevicesService {
  constructor(
    private readonly logins: DeviceLoginsService,
    private readonly codes: DeviceCodesService,
    private readonly nodes: NodesService,
    private readonly sessions: SessionsService,
  ) {}

  /** @throws FerryError `not_found`, `rate_limit_exceeded` */
  async find(actor: Principal, typed: string, origin: ClientOrigin): Promise<WaitingDevice> {
    requireCode(typed);
    const login = await this.logins.find(actor, typed, origin);
    if (login !== undefined) return { type: 'login', login };
    return { type: 'node', device: await this.guarded(actor, () => this.codes.look(actor.accountId, typed)) };
  }

  /**
   * Signs the command line in as the actor, or makes the computer a node, which is active at once when the fingerprint is given.
   * @throws FerryError `not_found`, `insufficient_role`, `recent_sign_in_needed`, `cluster_not_found`, `invalid_request`
   */
  async approve(
    actor: Principal,
    typed: string,
    approval: DeviceApproval,
    origin: ClientOrigin,
  ): Promise<ApprovedDevice> {
    requireCode(typed);
    const pending = await this.logins.find(actor, typed, origin);
    if (pending !== undefined) {
      return { type: 'login', login: await this.logins.decidePending(actor, pending, { approve: true, role: null }) };
    }
    const { accountId, credential } = actor;
    requireNodeRole(actor);
    // An unlocked screen that somebody left must not let computers in (docs/reference/security.md#nodes).
    if (credential.kind === 'session') await this.sessions.requireRecentSignIn(accountId, credential.id);
    const { nodeId, device } = await this.guarded(actor, () => this.codes.approve(accountId, typed, approval, actor));
    const node =
      approval.fingerprint === undefined
        ? await this.nodes.find(accountId, nodeId)
        : await this.nodes.confirm(accountId, nodeId, approval.fingerprint, actor);
    if (node === undefined) throw new FerryError('not_found', 'The node was deleted meanwhile.');
    return { type: 'node', device, node };
  }

  /** @throws FerryError `not_found`, `insufficient_role`, `rate_limit_exceeded` */
  async deny(actor: Principal, typed: string, origin: ClientOrigin): Promise<void> {
    requireCode(typed);
    const pending = await this.logins.find(actor, typed, origin);
    if (pending !== undefined) {
      await this.logins.decidePending(actor, pending, { approve: false });
      return;
    }
    requireNodeRole(actor);
    await this.guarded(actor, () => this.codes.deny(actor.accountId, typed, actor));
  }

  /** A code of neither kind counts as a wrong one, whichever kind was tried last. */
  private async guarded<Result>(actor: Principal, ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof FerryError) || error.code !== 'not_found') throw error;
      this.logins.countWrongCode(actor);
      throw noSuchCode(error);
    }
  }
}

/** A text that cannot be a code is no guess: it costs neither a query nor a try. */
function requireCode(typed: string): void {
  if (parseUserCode(typed) === undefined) throw noSuchCode();
}

const noSuchCode = (cause?: unknown): FerryError =>
  new FerryError('not_found', 'There is no pending request with this code: it is mistyped, expired or already used.', {
    cause,
  });

function requireNodeRole({ role }: Principal): void {
  if (!permits(role, NODE_PERMISSION)) {
    throw new FerryError('insufficient_role', 'An admin or owner of the account must add a computer.');
  }
}
