import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptFonts } from './fonts.ts';
import { toTrueType } from './woff.ts';

/**
 * Write the fonts of the Indian scripts and Arabic as TrueType files into a new folder under `workDir`,
 * with a fontconfig file that adds them to the system's own. LibreOffice then draws these scripts on a
 * machine that has no fonts for them. Returns the folder and the path for FONTCONFIG_FILE.
 */
export async function writeFontFolder(workDir: string): Promise<{ dir: string; config: string }> {
  const dir = await mkdtemp(join(workDir, 'fonts-'));
  const config = join(dir, 'fonts.conf');
  await Promise.all([
    ...scriptFonts().map(({ name, woff }) => writeFile(join(dir, `${name}.ttf`), toTrueType(woff))),
    writeFile(
      config,
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>${dir}</dir><cachedir>${dir}</cachedir></fontconfig>\n`,
    ),
  ]);
  return { dir, config };
}
