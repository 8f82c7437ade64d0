/**
 * Loaded into a relay with `--import`, in place of presence: the replicas that it believes in are those of the JSON file
 * `TOLD_REPLICAS_FILE`, `{live, link_addresses}`, read at every question.
 */
import { readFileSync } from 'node:fs';
import { KnownReplicas } from '../../../dist/relay/replicas/presence/known-replicas.js';

const read = () => JSON.parse(readFileSync(process.env.TOLD_REPLICAS_FILE, 'utf8'));

KnownReplicas.prototype.count = () => read().live;
KnownReplicas.prototype.linkAddresses = () => read().link_addresses;
