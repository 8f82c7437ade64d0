import type { IncomingMessage } from 'node:http';
import { isNodeId, type NodeId } from '../../../kernel/ids.js';
import { headerValues } from '../../platform/http/header-values.js';

export interface NodeAuthorization {
  readonly nodeId: NodeId;
  readonly nonce: string;
  readonly signature: string;
}

const SHAPE = /^FerryNode id=([^,\s]{1,64}),nonce=([A-Za-z0-9_-]{1,128}),sig=([A-Za-z0-9_-]{1,128})$/;

/** Reads `Authorization: FerryNode id=…,nonce=…,sig=…`: exactly one header, exactly this shape (docs/reference/security.md#nodes). */
export function parseNodeAuthorization(request: IncomingMessage): NodeAuthorization | undefined {
  const [value, second] = headerValues(request, 'authorization');
  const [, id, nonce, signature] = (second === undefined ? SHAPE.exec(value ?? '') : null) ?? [];
  if (id === undefined || nonce === undefined || signature === undefined || !isNodeId(id)) return undefined;
  return { nodeId: id, nonce, signature };
}
