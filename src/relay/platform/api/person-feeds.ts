import { Inject, Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { Principal } from '../access/principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../config/relay-config.js';

/** Open feeds of every kind, counted per person over all their sessions and tokens, so that one person cannot take those of the whole account. */
@Injectable()
export class PersonFeeds {
  private readonly open = new Map<string, number>();

  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {}

  /**
   * @param begin opens the feed, and returns what closes it
   * @returns closes it, once. @throws FerryError `rate_limit_exceeded`, or as `begin`
   */
  begin({ userId, credential }: Principal, begin: () => () => void): () => void {
    const person = userId ?? credential.id;
    const open = this.open.get(person) ?? 0;
    if (open >= this.config.settings.eventFeedsPerUser)
      throw new FerryError('rate_limit_exceeded', `You already have ${open} open feeds.`);
    const close = begin();
    this.open.set(person, (this.open.get(person) ?? 0) + 1);
    return () => {
      close();
      const left = (this.open.get(person) ?? 1) - 1;
      if (left === 0) this.open.delete(person);
      else this.open.set(person, left);
    };
  }
}
