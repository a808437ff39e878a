/** A repository that git reads here: a clone of the operator's, or what was fetched for one pull request. */
export interface Clone {
  owner: string;
  name: string;
  /** The folder that holds HEAD, objects and refs, free of links on the way to it. */
  gitFolder: string;
  /** The ref of its default branch, where HEAD names the branch that somebody works on. */
  defaultRef?: string;
}
