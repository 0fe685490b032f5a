import { visitorsLanguage } from '@karaar/i18n/languages';
import { failureTexts } from './failure-texts.ts';

/** Shows a failure if the app could not be loaded; plain DOM, because React may be missing. */
export function showStartFailure(error: unknown): void {
  reportError(error);
  const root = document.getElementById('root');
  if (!root) return;
  const language = visitorsLanguage();
  const texts = failureTexts[language];
  document.documentElement.lang = language;
  const box = document.createElement('main');
  const title = document.createElement('h1');
  title.textContent = texts.title;
  const text = document.createElement('p');
  text.textContent = texts.help;
  const retry = document.createElement('button');
  retry.type = 'button';
  retry.textContent = texts.retry;
  retry.addEventListener('click', () => location.reload());
  box.append(title, text, retry);
  Object.assign(box.style, {
    font: '16px/1.5 system-ui, sans-serif',
    maxWidth: '28rem',
    margin: '20vh auto',
    padding: '0 16px',
  });
  root.replaceChildren(box);
}
