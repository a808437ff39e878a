/** What is asked for by a path: one without what leads to the root and without an end; the root itself is empty. */
export function plainPath(path: string): string {
  const plain = path.trim().replace(/^(?:\.?\/+)+|\/+\.?$/g, '');
  return plain === '.' ? '' : plain;
}

/** Whether a file is the one that is asked for by its path or the end of that, or lies in a folder that is, by its whole path. */
export function isAsked(fileName: string, plain: string): boolean {
  const [name, asked] = [fileName.toLowerCase(), plain.toLowerCase()];
  return asked === '' || name === asked || name.startsWith(`${asked}/`) || name.endsWith(`/${asked}`);
}
