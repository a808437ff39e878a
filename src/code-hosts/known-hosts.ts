import { git } from './git/definition.ts';
import { gitea } from './gitea/definition.ts';
import { github } from './github/definition.ts';
import { gitlab } from './gitlab/definition.ts';

/** Every code host that can be read from, by its id. */
export const knownHosts = { git, github, gitlab, gitea };
