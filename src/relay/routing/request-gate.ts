import { Injectable } from '@nestjs/common';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { KeyRevocations } from '../keys/key-revocations.js';
import type { RoutedRequest } from './request/routed-request.js';

/** Refuses requests that may not start now, although their caller was admitted. */
@Injectable()
export class RequestGate {
  private draining = false;

  constructor(private readonly revocations: KeyRevocations) {}

  /** The relay drains: no request starts any more. */
  close(): void {
    this.draining = true;
  }

  refusal({ keyPublicId }: RoutedRequest): FerryError | null {
    if (this.draining) return new FerryError('draining');
    // The body was read after the credential was checked, which can take minutes.
    return this.revocations.wasRevoked(keyPublicId) ? new FerryError('invalid_credential') : null;
  }
}
