// Hovering over a sentence marks its lines; a click or Enter opens its evidence.

/** @param {Element} place */
const idsOf = (place) => (place.getAttribute('data-sentences') ?? '').split(' ');
/** @param {Element} sentence */
const citing = ({ id }) => `[data-sentences~="${id}"]`;
/** @param {string} selector @param {ParentNode} within */
const all = (selector, within = document) =>
  /** @type {HTMLElement[]} */ ([...within.querySelectorAll(selector)]);
/** Folded evidence, and the links to lines that the page does not show. @param {ParentNode} [within] */
const evidenceIn = (within) => all('.evidence > *', within);
/** @param {HTMLElement} one */
const isOpen = (one) => one.matches('[open], .open');
/** @param {HTMLElement} one @param {boolean} opens */
const setOpen = (one, opens) =>
  one.matches('details') ? one.toggleAttribute('open', opens) : one.classList.toggle('open', opens);

for (const item of all('.item')) {
  const sentences = all('[data-sentence]', item);
  const evidence = evidenceIn(item);
  /** @type {HTMLElement | null} */
  let pointed = null;
  /** @type {HTMLElement | null} */
  let opened = null;

  const mark = () => {
    const one = pointed ?? opened;
    const open = evidence.filter(isOpen).flatMap((file) => all('[data-sentences]', file));
    const ids = one ? [one.id] : open.flatMap(idsOf);
    // If all sentences were marked, the underline would say nothing.
    const isTelling = one !== null || !sentences.every(({ id }) => ids.includes(id));
    for (const { id, classList } of sentences) classList.toggle('marked', isTelling && ids.includes(id));
    for (const place of all('[data-sentences]', item))
      place.classList.toggle(
        'marked',
        (isTelling || place.matches('.line')) && idsOf(place).some((id) => ids.includes(id)),
      );
  };
  /** @param {HTMLElement | null} sentence */
  const point = (sentence) => {
    pointed = sentence;
    mark();
  };
  /** @param {HTMLElement} sentence */
  const open = (sentence) => {
    opened = opened === sentence ? null : sentence;
    const own = citing(sentence);
    for (const file of evidence) setOpen(file, opened !== null && file.querySelector(own) !== null);
    mark();
    if (!opened) return;
    for (const gap of all('details.gap', item)) if (gap.querySelector(own)) setOpen(gap, true);
    const place = all('.line.marked, .cite.open', item).find((one) => one.checkVisibility());
    place?.scrollIntoView({ block: 'nearest' });
  };
  for (const sentence of sentences) {
    sentence.tabIndex = -1;
    sentence.onpointerenter = sentence.onfocus = () => point(sentence);
    sentence.onpointerleave = sentence.onblur = () => point(null);
    sentence.onclick = () => {
      // A click that selects text does not open the evidence.
      if (getSelection()?.isCollapsed !== false) open(sentence);
    };
    sentence.onkeydown = ({ key }) => {
      if (key === 'Enter') open(sentence);
    };
  }
  for (const file of evidence)
    file.addEventListener('toggle', () => {
      if (opened && !isOpen(file) && file.querySelector(citing(opened))) opened = null;
      mark();
    });
}

const evidence = evidenceIn();
const button = document.getElementById('evidence');
const areOpen = () => evidence.every(isOpen);
function openAll() {
  const opens = !areOpen();
  for (const one of evidence) setOpen(one, opens);
  button?.setAttribute('aria-pressed', String(opens));
}
if (button && evidence.length > 0) {
  button.hidden = false;
  button.onclick = openAll;
  for (const one of evidence)
    one.addEventListener('toggle', () => button.setAttribute('aria-pressed', String(areOpen())));
}

for (const around of all('.show-around')) {
  around.hidden = false;
  around.onclick = () => {
    for (const gap of all('a.gap, .gap > summary', around.closest('figure') ?? undefined)) gap.click();
  };
}

/** Sentences, and hunks without one, in order. */
const stops = all('.item [data-sentence], .item:not(:has([data-sentence])) > .hunk');
for (const stop of stops) stop.tabIndex = -1;

/** Moves to the next or previous sentence, with its hunk in view if both fit. @param {1 | -1} step */
function goOn(step) {
  const at = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const first = stops.findIndex((one) => one.getBoundingClientRect().top >= 0);
  const stop = stops[at < 0 ? Math.max(0, first) : at + step];
  if (!stop) return;
  stop.focus({ preventScroll: true });
  const { top, bottom } = stop.getBoundingClientRect();
  const end = stop.closest('.item')?.querySelector('.hunk')?.getBoundingClientRect().bottom ?? bottom;
  const room = innerHeight - 48;
  const fits = end - top <= room;
  if (top < 48 || (fits ? end : top) > room)
    scrollBy(0, fits ? Math.min(top - 48, end - room + 24) : top - 48);
}

document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
  const isTyping = /** @type {Element} */ (target).closest('input, textarea, select, [contenteditable]');
  if (isTyping || ctrlKey || metaKey || altKey) return;
  if (key === 'e') openAll();
  else if (key === 'j') goOn(1);
  else if (key === 'k') goOn(-1);
});
