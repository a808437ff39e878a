import { BlockList, isIP, isIPv6 } from 'node:net';

type Range = [network: string, bits: number];

/** Link-local, multicast and reserved addresses, and the metadata services of clouds. */
const forbidden: Range[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  ['fd00:42::42', 128],
];

/** IPv4 loopback and private networks. */
const inside: Range[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fec0::', 10],
];

const listOf = (ranges: Range[]): BlockList => {
  const list = new BlockList();
  for (const [network, bits] of ranges) list.addSubnet(network, bits, isIPv6(network) ? 'ipv6' : 'ipv4');
  return list;
};

const forbiddenList = listOf(forbidden);
const insideList = listOf(inside);
const loopback = listOf([['::1', 128]]);

/** Prefixes, in groups of 16 bits, that are followed by the IPv4 address that packets reach. */
const carriers: number[][] = [
  [0, 0, 0, 0, 0, 0xffff],
  [0, 0, 0, 0, 0xffff, 0],
  [0, 0, 0, 0, 0, 0],
  [0x64, 0xff9b, 0, 0, 0, 0],
  [0x2002],
];

/** Local NAT64, usually with the address at the end. */
const ownTranslation = [0x64, 0xff9b, 1];

/** Teredo, whose last 32 bits are an inverted address. */
const turned = [0x2001, 0];

export function isAllowedAddress(address: string, { mayBePrivate }: { mayBePrivate: boolean }): boolean {
  const [plain = ''] = address.split('%');
  const family = isIP(plain);
  if (family === 0) return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  if (forbiddenList.check(plain, type)) return false;
  if (loopback.check(plain, type)) return mayBePrivate;
  if (insideList.check(plain, type) && !mayBePrivate) return false;
  const carried = family === 6 ? carriedAddress(plain) : null;
  return carried === null || isAllowedAddress(carried, { mayBePrivate });
}

function carriedAddress(address: string): string | null {
  const groups = groupsOf(address);
  const begins = (prefix: number[]): boolean => prefix.every((group, index) => groups[index] === group);
  if (begins(ownTranslation)) return dotted(groups.slice(6));
  if (begins(turned)) return dotted(groups.slice(6).map((group) => group ^ 0xffff));
  const prefix = carriers.find(begins);
  return prefix ? dotted(groups.slice(prefix.length)) : null;
}

const dotted = ([high = 0, low = 0]: number[]): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');

function groupsOf(address: string): number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hexadecimal = (upper = 0, lower = 0): string => (upper * 256 + lower).toString(16);
  const [, a, b, c, d] = dotted?.map(Number) ?? [];
  const text = dotted
    ? `${address.slice(0, dotted.index)}${hexadecimal(a, b)}:${hexadecimal(c, d)}`
    : address;
  const [before = [], after = []] = text
    .split('::')
    .map((part) => part.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)])));
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}
