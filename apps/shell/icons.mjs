import { readFileSync } from 'node:fs';
import sharp from 'sharp';

/** The seal's red, which fills a maskable icon to its edges. */
const SEAL = '#b4232a';
/** The part of a maskable icon's width that no mask crops (https://www.w3.org/TR/appmanifest/#icon-masks). */
const SAFE = 0.8;

/**
 * Draws the icons of an installed app from our mark: round ones, and full squares for devices that crop them.
 */
export class Icons {
  /** @param mark the mark, an SVG file */
  constructor(mark) {
    this.mark = mark;
  }

  apply(compiler) {
    const { RawSource } = compiler.webpack.sources;
    compiler.hooks.thisCompilation.tap('Icons', (compilation) => {
      const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tapPromise({ name: 'Icons', stage }, async () => {
        compilation.fileDependencies.add(this.mark);
        const svg = readFileSync(this.mark);
        const emit = async (name, icon) => compilation.emitAsset(name, new RawSource(await icon));
        await Promise.all([
          emit('icon-192.png', round(svg, 192)),
          emit('icon-512.png', round(svg, 512)),
          emit('icon-maskable-192.png', square(svg, 192)),
          emit('icon-maskable-512.png', square(svg, 512)),
          emit('icon-apple-180.png', square(svg, 180)),
        ]);
      });
    });
  }
}

const round = (svg, size) => sharp(svg, { density: 600 }).resize(size, size).png().toBuffer();

async function square(svg, size) {
  const inner = await round(svg, Math.round(size * SAFE));
  const ground = { create: { width: size, height: size, channels: 3, background: SEAL } };
  return sharp(ground)
    .composite([{ input: inner }])
    .png()
    .toBuffer();
}
