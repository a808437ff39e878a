const backslash = 92;
const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };
const byEscape = new Map(Object.entries(escapes).map(([letter, byte]) => [letter.charCodeAt(0), byte]));

/** Reads a path the way git prints it: plain, or in quotes with C escapes for unusual bytes. */
export function unquotePath(printed: string): string {
  if (!printed.startsWith('"')) return printed;
  const bytes = Buffer.from(printed.slice(1, -1));
  // What is read is never longer than what is printed, and takes its place.
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    if (byte === backslash) {
      const octal = octalAt(bytes, at + 1);
      at += octal === null ? 1 : 3;
      if (at >= bytes.length) break;
      byte = octal ?? byEscape.get(bytes[at] ?? 0) ?? bytes[at] ?? 0;
    }
    bytes[length] = byte;
    length += 1;
  }
  return bytes.toString('utf8', 0, length);
}

/** The byte that three octal digits stand for. */
function octalAt(bytes: Buffer, at: number): number | null {
  let value = 0;
  for (let digit = at; digit < at + 3; digit += 1) {
    const byte = bytes[digit] ?? 0;
    if (byte < 48 || byte > 55) return null;
    value = value * 8 + byte - 48;
  }
  return value & 255;
}
