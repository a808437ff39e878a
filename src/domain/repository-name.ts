/**
 * What a repository may be called. It holds every name that the known code hosts allow and nothing
 * that could mean another folder: no slash, no `..`, no control character.
 */
export const repositoryNamePattern = '^(?!\\.$)(?!.*\\.\\.)[A-Za-z0-9_.-]+$';

export const repositoryNameMaxLength = 100;

/** What an owner may be called: a name as repositories have them, or the names of groups within groups with slashes between. */
export const ownerPattern = '^(?!.*\\.\\.)(?!\\.(?:/|$))[A-Za-z0-9_.-]+(?:/(?!\\.(?:/|$))[A-Za-z0-9_.-]+)*$';

/** Of all its names together. */
export const ownerMaxLength = 400;

const namePattern = new RegExp(repositoryNamePattern);
const wholeOwner = new RegExp(ownerPattern);

export function isRepositoryName(text: string): boolean {
  return text.length <= repositoryNameMaxLength && namePattern.test(text);
}

export function isOwner(text: string): boolean {
  return text.length <= ownerMaxLength && wholeOwner.test(text);
}

/** The owner and the name of a repository that is written with slashes between them; the owner is empty where there is none. */
export function splitFullName(text: string): { owner: string; name: string } {
  const end = text.lastIndexOf('/');
  return { owner: text.slice(0, Math.max(end, 0)), name: text.slice(end + 1) };
}

/** The owner and the name of a repository as parts of a path. */
export const repositorySegments = (owner: string, name: string): string =>
  `${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
