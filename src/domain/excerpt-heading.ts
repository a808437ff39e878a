/** What stands above an excerpt, as it is shown: a name, without what opens the lines behind it. */
export const shownHeading = (heading: string | null): string | null =>
  heading?.replace(/[\s{:(]{1,4}$/, '') || null;
