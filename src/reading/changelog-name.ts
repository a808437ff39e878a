/** What files are called that list what changed, for those who use it. */
export const changelogName =
  /(?:^|\/)(?:changelog|changes|history|news|release[-_ ]?notes|whats[-_ ]?new)[^/]*$/i;
