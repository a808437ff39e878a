/** A path taken apart once, in lower case, because conventions differ in case only. */
export interface PathParts {
  path: string;
  directories: string[];
  name: string;
  /** What stands behind the last dot, unless the name begins with it. */
  ending: string;
}

export function partsOf(path: string): PathParts {
  const lower = path.toLowerCase();
  const directories = lower.split('/');
  const name = directories.pop() ?? '';
  const dot = name.lastIndexOf('.');
  return { path: lower, directories, name, ending: dot > 0 ? name.slice(dot + 1) : '' };
}
