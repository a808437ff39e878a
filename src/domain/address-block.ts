const ipv4 = /^[\d.]+$/;

/**
 * What requests of an address are counted under: an IPv4 address itself, however it is written, and the /64 of an IPv6 one,
 * which is the least that one customer is given. What is no address is counted as it is.
 */
export function addressBlock(address: string): string {
  if (ipv4.test(address)) return address;
  const name = hostname(address);
  if (ipv4.test(name)) return name;
  if (!name.startsWith('[')) return address;
  const groups = groupsOf(name.slice(1, -1));
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
  return isMapped ? dotted(groups.slice(6)) : `${groups.slice(0, 4).map(hexadecimal).join(':')}::/64`;
}

/** An address in its canonical form, without its port and its zone. */
function hostname(address: string): string {
  const [plain = ''] = address.split('%');
  const isBareIpv6 = /^[^[]*:.*:/.test(plain);
  return URL.parse(`http://${isBareIpv6 ? `[${plain}]` : plain}`)?.hostname ?? '';
}

/** The eight numbers of an IPv6 address in its canonical form. */
function groupsOf(address: string): number[] {
  const [before = [], after = []] = address
    .split('::')
    .map((part) => part.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)])));
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}

const hexadecimal = (group: number): string => group.toString(16);

const dotted = ([high = 0, low = 0]: number[]): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');
