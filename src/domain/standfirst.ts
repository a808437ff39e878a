interface Told {
  standfirst: { text: string } | null;
  mainChanges: { statements: { text: string }[] }[];
}

/** Whether the first change begins with the sentence that stands above it in lists, as it does without a model. */
export const isToldAgain = ({ standfirst, mainChanges }: Told): boolean =>
  standfirst?.text === mainChanges[0]?.statements[0]?.text;
