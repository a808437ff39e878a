import { git } from './git/definition.ts';
import { gitea } from './gitea/definition.ts';
import { github } from './github/definition.ts';
import { gitlab } from './gitlab/definition.ts';

/** Those on the network. What is named in short, where nothing else says which is meant, is on the first. */
export const networkHosts = { github, gitlab, gitea };

export const knownHosts = { git, ...networkHosts };
