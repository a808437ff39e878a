import { all, call, complain, element } from './call.js';

/** Shows a like at once, sends it to the API, and reverts it if the API rejects it. */
for (const button of /** @type {HTMLButtonElement[]} */ (all('button.like'))) {
  const { article, language } = button.dataset;
  const count = /** @type {HTMLElement} */ (button.querySelector('.count'));
  let known = {
    isLiked: button.getAttribute('aria-pressed') === 'true',
    likes: Number(button.dataset.likes ?? 0),
  };
  /** The displayed count includes likes of the article in other languages. */
  const others = Number(button.dataset.others ?? 0);
  let isWanted = known.isLiked;
  let isTelling = false;

  const show = () => {
    const likes = others + known.likes + Number(isWanted) - Number(known.isLiked);
    button.setAttribute('aria-pressed', String(isWanted));
    count.textContent = likes.toLocaleString(document.documentElement.lang);
  };
  const tell = async () => {
    isTelling = true;
    try {
      while (isWanted !== known.isLiked) {
        const isLiked = isWanted;
        const path = `/articles/${article}/language/${language}/like`;
        const { likeCount } = await call(isLiked ? 'POST' : 'DELETE', path);
        known = { isLiked, likes: likeCount };
      }
    } catch (error) {
      isWanted = known.isLiked;
      complain(error);
    }
    isTelling = false;
    show();
  };
  button.addEventListener('click', (event) => {
    event.preventDefault();
    // A double click counts as one click.
    if (event.detail > 1) return;
    element('problem').hidden = true;
    isWanted = !isWanted;
    show();
    if (!isTelling) tell();
  });

  // A page restored from history shows its earlier state, so likes are loaded again.
  addEventListener('pageshow', async ({ persisted }) => {
    const [visit] = performance.getEntriesByType('navigation');
    if (isTelling || !(persisted || visit?.toJSON().type === 'back_forward')) return;
    const path = `/users/me/liked-articles?articleId=${article}&language=${language}`;
    const found = await call('GET', path).catch(() => null);
    if (!found || isTelling) return;
    const isLiked = found.items.length > 0;
    known = { isLiked, likes: known.likes + Number(isLiked) - Number(known.isLiked) };
    isWanted = isLiked;
    show();
  });
}
