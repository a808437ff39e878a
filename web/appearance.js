// Before the first paint, so that the other appearance does not flash by.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('appearance');
  } catch {
    // A browser that keeps nothing for us goes by its system.
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
