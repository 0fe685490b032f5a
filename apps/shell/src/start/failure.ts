/** Stands in for the app when it could not even be loaded; plain DOM, as React may be what is missing. */
export function showStartFailure(error: unknown): void {
  reportError(error);
  const root = document.getElementById('root');
  if (!root) return;
  const box = document.createElement('main');
  const title = document.createElement('h1');
  title.textContent = 'Karaar could not be loaded';
  const text = document.createElement('p');
  text.textContent = 'Check your connection and try again.';
  const retry = document.createElement('button');
  retry.type = 'button';
  retry.textContent = 'Try again';
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
