/** The contact sheet: all pictures on one page. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Picture } from './take.ts';

const caption = ({ width, theme, language }: Picture) => `${width} ${theme} ${language}`;

/** Writes index.html beside the pictures. */
export async function writeSheet(folder: string, pictures: readonly Picture[]): Promise<void> {
  const screens = [
    ...Map.groupBy(pictures, ({ shot }) => shot.route + (shot.state ? ` (${shot.state})` : '')),
  ];
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
}
