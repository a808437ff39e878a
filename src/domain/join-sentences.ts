/** Sentences that end as Japanese ones do stand beside each other without a blank. */
const endsWide = /[。！？」』）]$/u;

/** What stands between a sentence and the next one. */
export const afterSentence = (sentence: string): '' | ' ' => (endsWide.test(sentence) ? '' : ' ');
