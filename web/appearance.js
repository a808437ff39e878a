// Runs before the first paint, so that the page does not flash in the other appearance.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('appearance');
  } catch {
    // Without stored data, the browser uses the appearance of the system.
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
