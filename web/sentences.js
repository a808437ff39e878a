// Pointing at a sentence, or tabbing to it, marks its places and its lines; opening a place marks its sentences.

/** @param {Element} item */
const placesOf = (item) => /** @type {NodeListOf<HTMLElement>} */ (item.querySelectorAll('[data-sentences]'));
/** @param {Element} item */
const sentencesOf = (item) =>
  /** @type {NodeListOf<HTMLElement>} */ (item.querySelectorAll('[data-sentence]'));
/** @param {HTMLElement} place */
const idsOf = (place) => (place.dataset.sentences ?? '').split(' ');

for (const item of document.querySelectorAll('.item')) {
  for (const sentence of sentencesOf(item)) {
    /** @param {boolean} isMarked */
    const mark = (isMarked) => {
      sentence.classList.toggle('marked', isMarked);
      for (const place of placesOf(item))
        place.classList.toggle('marked', isMarked && idsOf(place).includes(sentence.id));
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
      const cited = new Set(open.flatMap((one) => [...placesOf(one)].flatMap(idsOf)));
      const sentences = [...sentencesOf(item)];
      // Where all are meant, a mark would tell nothing.
      const isTelling = !sentences.every(({ id }) => cited.has(id));
      for (const sentence of sentences)
        sentence.classList.toggle('marked', isTelling && cited.has(sentence.id));
    });
  }
}
