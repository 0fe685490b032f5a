import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptFonts } from './fonts.ts';
import { dingbatFonts, standInFonts, symbolStandIn } from './made-fonts.ts';
import { toTrueType } from './woff.ts';

/**
 * Writes TrueType fonts into a new folder in `workDir`, with a fontconfig file that adds them to the system
 * fonts: Indian scripts, symbols, emoji, and stand-ins for fonts from before Unicode. Returns the folder and
 * the path for FONTCONFIG_FILE.
 */
export async function writeFontFolder(workDir: string): Promise<{ dir: string; config: string }> {
  const dir = await mkdtemp(join(workDir, 'fonts-'));
  const config = join(dir, 'fonts.conf');
  const standIns = standInFonts();
  const made = [...dingbatFonts(), symbolStandIn(), ...standIns].map(({ family, file }) => ({
    name: family,
    file,
  }));
  const scripts = scriptFonts().map(({ name, woff }) => ({ name, file: toTrueType(woff) }));
  const rules = standIns.map(
    ({ contains, family }) =>
      `<match target="pattern"><test name="family" compare="contains"><string>${contains}</string></test><edit name="family" mode="append" binding="strong"><string>${family}</string></edit></match>`,
  );
  await Promise.all([
    ...[...scripts, ...made].map(({ name, file }) => writeFile(join(dir, `${name}.ttf`), file)),
    writeFile(
      config,
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>${rules.join('\n')}<include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>${dir}</dir><cachedir>${dir}</cachedir></fontconfig>\n`,
    ),
  ]);
  return { dir, config };
}
