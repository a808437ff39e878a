import { isRepositoryName } from '../../domain/repository-name.ts';

/**
 * What a clone is called, by the path of its remote repository, else by its folders. Strangers can have chosen both: an address
 * may hold a password, and a folder may be called anything. Only what can name a repository is passed on, and the rest is empty.
 */
export function nameOfClone(origin: string | null, root: string): { owner: string; name: string } {
  const ofRemote = nameIn(pathIn(origin ?? ''));
  return ofRemote.name ? ofRemote : nameIn(lastTwo(root));
}

/** On a host, groups lie in groups; in a file system, only the last folder is an owner. */
function pathIn(address: string): string[] {
  if (/^[\w+.-]+:\/\//.test(address)) {
    const url = URL.parse(address);
    return url?.protocol === 'file:' ? lastTwo(url.pathname) : partsOf(url?.pathname ?? '');
  }
  const [, path] = /^(?:[^/]*@)?(?:\[[^\]/]+\]|[^/:@]+):(.+)$/s.exec(address) ?? [];
  return path === undefined ? lastTwo(address) : partsOf(path);
}

const partsOf = (path: string): string[] => path.split('/').filter(Boolean);

const lastTwo = (path: string): string[] => partsOf(path).slice(-2);

function nameIn(parts: string[]): { owner: string; name: string } {
  const name = parts.at(-1)?.replace(/\.git$/, '') ?? '';
  if (!isRepositoryName(name)) return { owner: '', name: '' };
  const groups = parts.slice(0, -1);
  return { owner: groups.every(isRepositoryName) ? groups.join('/') : '', name };
}
