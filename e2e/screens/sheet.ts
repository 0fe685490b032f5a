/** The contact sheets: all pictures on one page, and a list to read in the repository. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shotName } from './shots.ts';
import type { Picture } from './take.ts';

const titleOf = ({ shot }: Picture) => shot.route + (shot.state ? ` (${shot.state})` : '');

function byScreen(pictures: readonly Picture[]): [title: string, pictures: Picture[]][] {
  return [...Map.groupBy(pictures, (picture) => shotName(picture.shot)).values()].map((group) => [
    group[0] ? titleOf(group[0]) : '',
    group,
  ]);
}

const caption = ({ width, theme, language }: Picture) => `${width} ${theme} ${language}`;

/** Writes index.html and index.md beside the pictures. */
export async function writeSheets(folder: string, pictures: readonly Picture[]): Promise<void> {
  const screens = byScreen(pictures);
  const figure = (picture: Picture) =>
    `<figure><a href="${picture.file}"><img loading="lazy" src="${picture.file}" alt="${caption(picture)}" /></a><figcaption>${caption(picture)}</figcaption></figure>`;
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Karaar: the screens</title>
    <style>
      body { font: 14px/1.4 system-ui, sans-serif; margin: 24px; background: #f3efe7; }
      section > div { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; }
      figure { margin: 0; } img { height: 320px; border: 1px solid #cbc3b3; }
    </style>
  </head>
  <body>
    <h1>The screens</h1>
${screens.map(([title, group]) => `    <section><h2>${title}</h2><div>${group.map(figure).join('\n')}</div></section>`).join('\n')}
  </body>
</html>
`;
  await writeFile(join(folder, 'index.html'), html);
  const line = ([title, group]: [string, Picture[]]) =>
    `## ${title}\n\n${group.map((picture) => `[${caption(picture)}](${picture.file})`).join(' · ')}\n`;
  const head = '# The screens\n\nMade by `npm run screens`; all on one page: `index.html`.\n';
  await writeFile(join(folder, 'index.md'), `${head}\n${screens.map(line).join('\n')}`);
}
