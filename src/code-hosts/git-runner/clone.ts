/** A repository that git reads here: a clone of the operator's, or what was fetched for one pull request. */
export interface Clone {
  owner: string;
  name: string;
  /** The folder that holds HEAD, objects and refs, free of links on the way to it. */
  gitFolder: string;
}
