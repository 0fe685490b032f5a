import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Picture } from './take.ts';

/** Writes index.html with all pictures, next to them. */
export async function writeSheet(folder: string, pictures: readonly Picture[]): Promise<void> {
  const figure = ({ file, width, theme, language }: Picture) => {
    const caption = `${width} ${theme} ${language}`;
    return `<figure><a href="${file}"><img loading="lazy" src="${file}" alt="${caption}" /></a><figcaption>${caption}</figcaption></figure>`;
  };
  const screens = Map.groupBy(pictures, ({ shot }) => shot.route + (shot.state ? ` (${shot.state})` : ''));
  const sections = [...screens].map(
    ([title, group]) => `<section><h2>${title}</h2><div>${group.map(figure).join('\n')}</div></section>`,
  );
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<title>Karaar: the screens</title>
<style>
  body { font: 14px/1.4 system-ui, sans-serif; margin: 24px; background: #f3efe7; }
  section > div { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; }
  figure { margin: 0; } img { height: 320px; border: 1px solid #cbc3b3; }
</style>
<h1>The screens</h1>
${sections.join('\n')}
</html>
`;
  await writeFile(join(folder, 'index.html'), html);
}
