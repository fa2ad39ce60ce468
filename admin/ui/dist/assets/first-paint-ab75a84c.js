// Sets theme and language before the first paint, from what this browser remembers.
(() => {
  let prefs = {};
  try {
    prefs = JSON.parse(localStorage.getItem('ron.prefs') ?? '{}');
  } catch {
    // Nothing remembered, or storage is off.
  }
  const matches = (query) => matchMedia(query).matches;
  const system = matches('(prefers-contrast: more)') ? 'contrast' : matches('(prefers-color-scheme: dark)') ? 'dark' : 'light';
  const theme = ['light', 'dark', 'contrast'].includes(prefs.theme) ? prefs.theme : system;
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.dataset.density = prefs.density === 'compact' ? 'compact' : 'calm';
  root.lang = prefs.lang === 'es-ES' ? 'es' : 'en';
})();
