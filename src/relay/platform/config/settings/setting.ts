import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

export { integer, MEBIBYTE, optionalText, reloadable, setting } from '../../../../kernel/settings/setting.js';

export const text = z.string().min(1);

/** Comma-separated addresses and CIDR ranges; stays text here, see `parseAddressRanges`. */
export const addressRanges = z.string().superRefine((list, context) => {
  for (const entry of entriesOf(list)) {
    try {
      addRange(new BlockList(), entry);
    } catch {
      context.addIssue({ code: 'custom', message: `"${entry}" is neither an address nor a CIDR range` });
    }
  }
});

/** @throws Error for what `addressRanges` refuses */
export function parseAddressRanges(list: string): BlockList {
  const ranges = new BlockList();
  for (const entry of entriesOf(list)) addRange(ranges, entry);
  return ranges;
}

const entriesOf = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

function addRange(ranges: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/', 2);
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  // An empty text would be the number 0, which is every address.
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) throw new Error('the length of the prefix is no number');
  if (bits === undefined) ranges.addAddress(address, family);
  else ranges.addSubnet(address, Number(bits), family);
}
