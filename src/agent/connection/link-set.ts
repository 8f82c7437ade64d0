import type { Rng } from '../../kernel/clock.js';
import type { GoAwayMessage, ReplicasMessage } from '../../link/messages.js';
import type { Link, ReadyFacts } from './link.js';

/** The target of a dial, and the existing links that the dial announces. */
export interface DialTarget {
  /** One of the addresses that the relay listed; null: its public address. */
  readonly address: string | null;
  /** Replicas whose links this process keeps. */
  readonly linkedReplicas: readonly string[];
  /** Epoch of the existing links; undefined: there are none. */
  readonly epoch: number | undefined;
}

/** A link from dialled to closed. */
export interface Holder {
  link: Link | undefined;
  readonly target: DialTarget;
  /** Aborted when this link is not needed any more. */
  readonly givenUp: AbortController;
  /** True when another process with this identity has taken the link over. */
  superseded: boolean;
}

interface Admitted {
  readonly holder: Holder;
  /** '' for a relay that does not name its replicas, which counts as one. */
  readonly replica: string;
  readonly linkAddress: string | null;
  /**
   * `leaving`: its replica drains. `doubtful`: older than a suspend of this computer, so that it may be dead. Both serve until replaced.
   * `retiring`: not needed any more, finishes its streams.
   */
  state: 'standing' | 'leaving' | 'doubtful' | 'retiring';
  live: number;
}

const PUBLIC = '';

/**
 * The admitted links of one agent process, each to another replica of the relay: which of them count, how many are wanted, and where to
 * dial next (docs/internals/link-protocol.md#7-several-replicas). It does no I/O, except that it closes links that are replaced.
 */
export class LinkSet {
  private links: Admitted[] = [];
  private maxLinks = 1;
  /** How many replicas the relay listed at each address: its workers share one. */
  private addresses: ReadonlyMap<string, number> = new Map();
  /** Number of the last failed dial by address, so that each is tried in turn. Only of addresses that are listed now. */
  private readonly dials = new Map<string, number>();
  private dialled = 0;
  /** Listed addresses with a link to every replica behind them, as dialling has shown. Until a link ends. */
  private readonly taken = new Set<string>();
  private epoch: number | undefined;
  /** Replicas without one that drains, as long as the others may not have told of that. */
  private staying = Infinity;

  constructor(
    /** Whether a listed address is one that this node accepts. */
    private readonly mayDial: (address: string) => boolean,
    private readonly random: Rng,
  ) {}

  /** Links to different replicas that take new requests and are not about to be replaced. */
  get standing(): number {
    return this.count('standing');
  }

  /** Links that still serve, also those that are about to be replaced. */
  get serving(): number {
    return this.links.length - this.count('retiring');
  }

  /** Links that this node should keep. */
  get wanted(): number {
    const live = Math.max(1, ...this.links.flatMap((link) => (link.state === 'retiring' ? [] : [link.live])));
    return Math.min(this.maxLinks, Math.max(1, Math.min(live, this.staying)));
  }

  get holders(): Holder[] {
    return this.links.map(({ holder }) => holder);
  }

  stateOf(holder: Holder): Admitted['state'] | undefined {
    return this.find(holder)?.state;
  }

  admit(holder: Holder, { epoch, replica, replicas }: ReadyFacts): void {
    // The relay retired the older one when it admitted this one. Of the others, those that did not answer since the suspend are dead.
    for (const link of this.links) {
      if (link.state === 'retiring') continue;
      const dead = link.state === 'doubtful' && link.holder.link?.unanswered === true;
      if (link.replica === replica.id || dead) this.retire(link);
      else if (link.state === 'doubtful') link.state = 'standing';
      if (dead) link.holder.link?.close();
    }
    this.links.push({
      holder,
      replica: replica.id,
      linkAddress: replica.link_address,
      state: 'standing',
      live: replicas.live,
    });
    if (holder.target.address !== null) this.dials.delete(holder.target.address);
    this.maxLinks = replica.max_links;
    this.epoch = Math.max(epoch, this.epoch ?? epoch);
    this.list(replicas.link_addresses);
    this.shed();
  }

  /** @returns false for a link that does not count any more */
  updateReplicas(holder: Holder, { live, link_addresses: addresses }: ReplicasMessage): boolean {
    const link = this.find(holder);
    if (link === undefined || link.state === 'retiring') return false;
    link.live = live;
    this.staying = Infinity;
    this.list(addresses);
    return true;
  }

  /** The replica of the link drains. The link serves on until it is replaced; where the other links suffice, it only finishes its streams. */
  onGoAway(holder: Holder, { replicas }: Pick<GoAwayMessage, 'replicas'>): void {
    const leaving = this.find(holder);
    if (leaving === undefined) return;
    leaving.state = 'leaving';
    if (replicas !== undefined) {
      leaving.live = replicas.live;
      this.staying = replicas.live;
      this.list(replicas.link_addresses);
    }
    this.shed();
  }

  /** The announced numbers apply again: a replica that drained is gone, or has returned without any change of the number. */
  forgetDrained(): void {
    this.staying = Infinity;
  }

  /** This computer was suspended: no link can be relied on before it has answered. */
  doubtAll(): void {
    for (const link of this.links) if (link.state === 'standing') link.state = 'doubtful';
  }

  /** Another process has taken over the identity: nothing of this one counts any more. */
  yieldAll(): void {
    this.epoch = undefined;
    for (const link of [...this.links]) {
      link.state = 'retiring';
      link.holder.link?.close();
    }
  }

  remove(holder: Holder): void {
    this.taken.clear();
    this.links = this.links.filter((link) => link.holder !== holder);
  }

  /** The dialled replica has a link already. */
  refusedAsDuplicate({ address }: DialTarget): void {
    if (address !== null && this.addresses.has(address)) this.taken.add(address);
  }

  nextTarget(): DialTarget {
    const standing = this.links.filter(({ state }) => state === 'standing');
    const linkedReplicas = standing.map(({ replica }) => replica);
    const address = standing.length === 0 ? PUBLIC : this.nextAddress(standing);
    this.dialled += 1;
    this.dials.set(address, this.dialled);
    // Without links there is none to be equal to: a new epoch is drawn, as after a restart. One that only finishes its streams counts,
    // too: a new epoch would end it as a link of an older process.
    const epoch = this.links.length === 0 ? undefined : this.epoch;
    return { address: address === PUBLIC ? null : address, linkedReplicas, epoch };
  }

  /**
   * The address tried longest ago; before the first try, listed ones come first. Of several new ones a random one, so that the nodes of a
   * relay with more replicas than links are spread over all of them.
   */
  private nextAddress(standing: readonly Admitted[]): string {
    const linksTo = (address: string): number => standing.filter(({ linkAddress }) => linkAddress === address).length;
    const free = [...this.addresses].flatMap(([address, replicas]) =>
      linksTo(address) < replicas && !this.taken.has(address) ? [address] : [],
    );
    // Of the replicas behind one address, the second is not worth more than a replica at an address without a link.
    const triedAt = (address: string): number => this.dials.get(address) ?? Math.min(1, linksTo(address));
    // The first link was dialled at the public address, which says nothing of it as a way to further ones.
    const earliest = Math.min(...free.map(triedAt), Math.max(1, triedAt(PUBLIC)));
    const choices = free.filter((address) => triedAt(address) === earliest);
    return choices[Math.floor(this.random() * choices.length)] ?? PUBLIC;
  }

  private list(listed: readonly string[]): void {
    const addresses = new Map<string, number>();
    for (const address of listed)
      if (address !== PUBLIC && this.mayDial(address)) addresses.set(address, (addresses.get(address) ?? 0) + 1);
    this.addresses = addresses;
    for (const known of this.taken) if (!addresses.has(known)) this.taken.delete(known);
    for (const known of this.dials.keys()) if (known !== PUBLIC && !addresses.has(known)) this.dials.delete(known);
  }

  /** Retires links that are not needed any more: those that leave or are over the limit of the relay, and the oldest that linger. */
  private shed(): void {
    const enough = this.standing >= this.wanted;
    for (const link of this.links) if (link.state === 'leaving' && enough) this.retire(link);
    for (const link of this.links) {
      if (this.standing <= this.maxLinks) break;
      if (link.state !== 'standing') continue;
      this.retire(link);
      link.holder.link?.goAway();
    }
    const lingering = this.links.filter(({ state }) => state === 'retiring');
    const surplus = lingering.length - this.wanted;
    for (const link of lingering.slice(0, Math.max(0, surplus))) link.holder.link?.close();
  }

  private retire(link: Admitted): void {
    link.state = 'retiring';
    const older = this.links.filter((other) => other.state === 'retiring' && other.replica === link.replica);
    for (const other of older) if (other !== link) other.holder.link?.close();
  }

  private find(holder: Holder): Admitted | undefined {
    return this.links.find((link) => link.holder === holder);
  }

  private count(state: Admitted['state']): number {
    let count = 0;
    for (const link of this.links) if (link.state === state) count += 1;
    return count;
  }
}
