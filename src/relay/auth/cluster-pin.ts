import type { IncomingMessage } from 'node:http';
import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { isClusterId, type ClusterId } from '../../kernel/ids.js';
import { ClusterDirectory } from '../clusters/cluster-directory.js';
import { mayReachCluster } from '../platform/access/caller.js';
import { headerValues } from '../platform/http/header-values.js';
import { contextOf } from '../platform/http/request-context.js';
import { callerOf } from '../platform/access/request-principal.js';

/**
 * `X-Cluster-ID` of an inference or inventory request (docs/reference/public-api.md#cluster-targeting), checked in the order of
 * docs/reference/api-behaviour.md#order-of-checks.
 */
@Injectable()
export class ClusterPinPipe implements PipeTransform<IncomingMessage, ClusterId | null | Promise<ClusterId>> {
  constructor(private readonly directory: ClusterDirectory) {}

  /**
   * Returns a promise only when a cluster is named.
   * @throws FerryError `invalid_request` (sent twice), `cluster_not_found` (malformed, empty or not the account's), `cluster_not_allowed`.
   */
  transform(request: IncomingMessage): ClusterId | null | Promise<ClusterId> {
    const [value, second] = headerValues(request, 'x-cluster-id');
    if (second !== undefined) {
      throw new FerryError('invalid_request', 'X-Cluster-ID was sent more than once.', { param: 'X-Cluster-ID' });
    }
    // An empty value, such as from an unset variable, asked for one cluster and must not get all.
    return value === undefined ? null : this.pinTo(value.trim(), request);
  }

  private async pinTo(clusterId: string, request: IncomingMessage): Promise<ClusterId> {
    const caller = callerOf(request);
    if (!isClusterId(clusterId) || !(await this.directory.owns(caller.accountId, clusterId))) {
      throw new FerryError('cluster_not_found', 'X-Cluster-ID names no cluster of this account.');
    }
    if (!mayReachCluster(caller, clusterId)) throw new FerryError('cluster_not_allowed');
    contextOf(request).clusterId = clusterId;
    return clusterId;
  }
}

const WholeRequest = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<IncomingMessage>(),
);

/** The cluster that the request is pinned to; null: any that its key allows. For `@ReadsModels()`. */
export const ClusterPin = (): ParameterDecorator => WholeRequest(ClusterPinPipe);
