import { isLanguage, LANGUAGES, startLanguage } from '@karaar/i18n';
import { Brand, partTexts, Sheet, ThemeSwitch, UiProvider, uiTexts } from '@karaar/ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { charts } from './demos/charts.tsx';
import { chat } from './demos/chat.tsx';
import { controls } from './demos/controls.tsx';
import { data } from './demos/data.tsx';
import { feedback } from './demos/feedback.tsx';
import { fields } from './demos/fields.tsx';
import { foundations } from './demos/foundations.tsx';
import { layout } from './demos/layout.tsx';
import { navigation } from './demos/navigation.tsx';
import { tables } from './demos/tables.tsx';
import type { Group } from './gallery.ts';
import css from './gallery.module.css';

const groups: readonly Group[] = [
  foundations,
  layout,
  controls,
  fields,
  data,
  tables,
  navigation,
  feedback,
  chat,
  charts,
];

const anchor = (name: string) => name.toLowerCase().replaceAll(/[^a-z]+/g, '-');

function Gallery() {
  return (
    <div className={css.page}>
      <header className={css.top}>
        <Brand />
        <ThemeSwitch />
      </header>
      <nav className={css.index} aria-label="Parts">
        {groups.map((group) => (
          <section key={group.title}>
            <h2>{group.title}</h2>
            <ul>
              {group.entries.map(({ name }) => (
                <li key={name}>
                  <a href={`#${anchor(name)}`}>{name}</a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <main className={css.main}>
        <h1>The parts</h1>
        {groups.map((group) => (
          <section key={group.title} className={css.group} id={`group-${anchor(group.title)}`}>
            <h2 className={css.groupTitle}>{group.title}</h2>
            {group.entries.map(({ name, use, specimens }) => (
              <div key={name} id={anchor(name)}>
                <Sheet title={name} note={use}>
                  <div className={css.specimens}>
                    {specimens.map(({ state, show, wide }) => (
                      <figure key={state} className={css.specimen} data-wide={wide || undefined}>
                        <figcaption className={css.state}>{state}</figcaption>
                        {show}
                      </figure>
                    ))}
                  </div>
                </Sheet>
              </div>
            ))}
          </section>
        ))}
      </main>
    </div>
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');
const language = new URLSearchParams(window.location.search).get('language') ?? '';
await startLanguage(isLanguage(language) ? language : LANGUAGES[0]);
await Promise.all([uiTexts.load(), partTexts.load()]);
createRoot(root).render(
  <StrictMode>
    <UiProvider>
      <Gallery />
    </UiProvider>
  </StrictMode>,
);
