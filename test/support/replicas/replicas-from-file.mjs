/**
 * Loaded into a relay with `--import`, in place of presence: the replicas that it believes in are those of the JSON file
 * `TOLD_REPLICAS_FILE`, `{live, link_addresses}`, read at every question.
 */
import { readFileSync } from 'node:fs';
import { ReplicaDirectory } from '../../../dist/relay/nodes/handshake/live-replicas.js';

const read = () => JSON.parse(readFileSync(process.env.TOLD_REPLICAS_FILE, 'utf8'));

ReplicaDirectory.prototype.count = () => read().live;
ReplicaDirectory.prototype.linkAddresses = () => read().link_addresses;
