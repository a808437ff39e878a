import { setting } from '../setting.ts';
import { existingFolder, listOf, optional, privateRepository, webUrl } from '../setting-parsers.ts';

export const gitSettings = {
  gitRepos: setting({
    name: 'GIT_REPOS',
    sentence:
      'Folder of clones or mirrors laid out owner/repo or owner/repo.git. Unset, the sample repository harborline/parcel is shown, and only then.',
    parse: optional(existingFolder),
  }),
  gitPrivate: setting({
    name: 'GIT_PRIVATE',
    sentence:
      'Private repositories and the local names that may see them: owner/repo=alice+bob, separated by commas.',
    parse: listOf(privateRepository),
  }),
  gitWebUrl: setting({
    name: 'GIT_WEB_URL',
    sentence: 'Web address of the host that the clones come from, for links to pull requests.',
    parse: optional(webUrl),
  }),
};
