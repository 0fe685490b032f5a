import { createElement, useState, Suspense, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { useTexts } from './react.ts';
import { defineTexts } from './texts.ts';

/** The parts of a page that React needs to render empty components. */
function emptyPage(): HTMLElement {
  const ignore = () => undefined;
  const window = { HTMLIFrameElement: Array };
  const listens = { addEventListener: ignore, removeEventListener: ignore };
  const document = { nodeType: 9, activeElement: null, defaultView: window, ...listens };
  Object.assign(globalThis, { window, document });
  const place = { nodeType: 1, nodeName: 'DIV', tagName: 'DIV', ownerDocument: document };
  // The parts of an element that React uses here.
  return Object.assign(place, listens) as never;
}

/**
 * Renders a component until `done` returns true.
 * @throws the error of the component
 */
function drawn(component: () => ReactNode, done: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const root = createRoot(emptyPage(), { onUncaughtError: reject });
    root.render(createElement(Suspense, null, createElement(component)));
    const timer = setInterval(() => {
      if (!done()) return;
      clearInterval(timer);
      root.unmount();
      resolve();
    });
  });
}

it('a catalog that no screen has listed suspends in the middle of the hooks, and they continue', async () => {
  const late = (name: string) =>
    defineTexts<{ word: string }>(name, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { default: { word: name } };
    });
  const first = late('first');
  const second = late('second');
  const said: string[] = [];
  const Reader = () => {
    const [before] = useState('before');
    const t = useTexts(first);
    const [between] = useState('between');
    const u = useTexts(second);
    const [after] = useState('after');
    said.push([before, t('word'), between, u('word'), after].join(' '));
    return null;
  };
  await drawn(Reader, () => said.length > 0);
  expect(said[0]).toBe('before first between second after');
});
