// Pointing at a sentence, or tabbing to it, marks its places in the margin; opening a place marks its sentences.

/** @param {Element} item */
const placesOf = (item) => /** @type {NodeListOf<HTMLElement>} */ (item.querySelectorAll('[data-sentences]'));
/** @param {Element} item */
const sentencesOf = (item) =>
  /** @type {NodeListOf<HTMLElement>} */ (item.querySelectorAll('[data-sentence]'));
/** @param {HTMLElement} place */
const numbersOf = (place) => (place.dataset.sentences ?? '').split(' ');

for (const item of document.querySelectorAll('.item')) {
  for (const sentence of sentencesOf(item)) {
    const number = sentence.dataset.sentence ?? '';
    /** @param {boolean} isMarked */
    const mark = (isMarked) => {
      for (const place of placesOf(item))
        place.classList.toggle('marked', isMarked && numbersOf(place).includes(number));
    };
    sentence.tabIndex = 0;
    sentence.addEventListener('pointerenter', () => mark(true));
    sentence.addEventListener('pointerleave', () => mark(false));
    sentence.addEventListener('focus', () => mark(true));
    sentence.addEventListener('blur', () => mark(false));
  }
  const files = item.querySelectorAll('.evidence details');
  for (const file of files) {
    file.addEventListener('toggle', () => {
      const open = [...files].filter((one) => /** @type {HTMLDetailsElement} */ (one).open);
      const cited = new Set(open.flatMap((one) => [...placesOf(one)].flatMap(numbersOf)));
      const sentences = [...sentencesOf(item)];
      /** @param {HTMLElement} sentence */
      const isCited = (sentence) => cited.has(sentence.dataset.sentence ?? '');
      // Where all are meant, a mark would tell nothing.
      const isTelling = !sentences.every(isCited);
      for (const sentence of sentences) sentence.classList.toggle('marked', isTelling && isCited(sentence));
    });
  }
}
