const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Reads a path the way git prints it: plain, or in quotes with C escapes for unusual bytes. */
export function unquotePath(printed: string): string {
  if (!printed.startsWith('"')) return printed;
  const pattern = /\\(?:([0-7]{3})|(.))|[^\\]+/gs;
  // Nothing is longer than it is printed.
  const bytes = Buffer.alloc(Buffer.byteLength(printed));
  let length = 0;
  for (const [plain, octal, letter] of printed.slice(1, -1).matchAll(pattern)) {
    if (octal) length = bytes.writeUInt8(Number.parseInt(octal, 8) & 255, length);
    else if (letter) length = bytes.writeUInt8((escapes[letter] ?? letter.charCodeAt(0)) & 255, length);
    else length += bytes.write(plain, length);
  }
  return bytes.toString('utf8', 0, length);
}
