const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Reads a path the way git prints it: plain, or in quotes with C escapes for unusual bytes. */
export function unquotePath(printed: string): string {
  if (!printed.startsWith('"')) return printed;
  const bytes: Buffer[] = [];
  const pattern = /\\(?:([0-7]{3})|(.))|[^\\]+/gs;
  for (const [plain, octal, letter] of printed.slice(1, -1).matchAll(pattern)) {
    if (octal) bytes.push(Buffer.from([Number.parseInt(octal, 8)]));
    else if (letter) bytes.push(Buffer.from([escapes[letter] ?? letter.charCodeAt(0)]));
    else bytes.push(Buffer.from(plain));
  }
  return Buffer.concat(bytes).toString('utf8');
}
