import { signal } from '@preact/signals';

/** The time, once a second; what says an age reads it. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) {
    now.value = Date.now();
  }
}, 1000);
document.addEventListener('visibilitychange', () => {
  now.value = Date.now();
});

/** Stops the page from moving while somebody reads; told on every page. */
export const paused = signal(false);
