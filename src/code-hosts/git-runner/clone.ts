/** A repository that git reads here: a clone of the operator's, or what was fetched for one pull request. */
export interface Clone {
  /** Empty where nothing says whose it is; so is the name. */
  owner: string;
  name: string;
  /** The folder that holds HEAD, objects and refs, free of links on the way to it. */
  gitFolder: string;
  /** The ref of its default branch, where HEAD names the branch that somebody works on. */
  defaultRef?: string;
  /** Whether it leaves files with its remote repository until they are needed, as `git clone --filter` makes it. */
  isPartial?: boolean;
  /** Whether it goes once it was read, so that no git stays for further questions about it. */
  isTemporary?: boolean;
}

/** What sentences call it. */
export const calledClone = ({ owner, name }: Pick<Clone, 'owner' | 'name'>): string =>
  [owner, name].filter(Boolean).join('/') || 'this folder';
