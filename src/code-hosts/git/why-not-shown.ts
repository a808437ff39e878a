import type { PassedOver } from './find-clone.ts';

/** Why a folder that an operator may take for a clone is not shown. */
export type NotShown = PassedOver | 'gitFile' | 'noClone' | 'noName' | 'withoutOwner';

/** Each as what follows "it is passed over:", and as what to do. */
export const whyNotShown: Record<NotShown, [why: string, remedy: string]> = {
  borrows: [
    'it borrows objects from another clone (git clone --shared or --reference)',
    'In it, run git repack -ad, then remove objects/info/alternates.',
  ],
  leadsOutside: [
    'its refs or objects have links that lead out of it, or pipes',
    'Clone it anew with git clone --mirror.',
  ],
  gitFile: [
    'its .git is a file that points elsewhere, as in a worktree or a submodule',
    'Link or clone the repository itself.',
  ],
  unreadable: ['this user may not read it', 'Let the user that runs the service read it.'],
  noClone: ['it is no clone', 'Make it one with git clone --mirror, or take it out of the folder.'],
  noName: [
    'its name is none that a repository may have',
    'Rename it: letters, digits, dots, hyphens and underscores.',
  ],
  withoutOwner: [
    'it lies in the folder itself, without an owner',
    'Move it into a folder named after its owner, as owner/repo.',
  ],
};
