/**
 * What an owner or a repository may be called. It holds every name that the known code hosts allow and nothing
 * that could mean another folder: no slash, no `..`, no control character.
 */
export const repositoryNamePattern = '^(?!\\.$)(?!.*\\.\\.)[A-Za-z0-9_.-]+$';

export const repositoryNameMaxLength = 100;

const pattern = new RegExp(repositoryNamePattern);

export function isRepositoryName(text: string): boolean {
  return text.length <= repositoryNameMaxLength && pattern.test(text);
}
