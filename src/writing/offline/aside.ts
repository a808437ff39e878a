/** What stands here is shown or tried out, and nobody runs on it. */
export const aside =
  /(?:^|\/)(?:examples?|samples?|[\w-]*tests?|specs?|docs?|benchmarks?|fixtures|internal|detail|tasks|scripts|tools)\//i;
