import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';

const NAME = 'BuildManifest';
/**
 * Placeholders in the runtime for the hashes of its chunks, which are known only after every file is written.
 */
const SCRIPT_HASHES = '__KARAAR_SCRIPT_HASHES__';
const STYLE_HASHES = '__KARAAR_STYLE_HASHES__';
const FEDERATION_MANIFEST = 'mf-manifest.json';
const HASHED = /\.(m?js|css)$/;

/**
 * Describes a build, and lets the browser check it:
 *
 * - Every chunk that a runtime loads has its `integrity` (the runtime holds the hashes), and so does every
 * script and style sheet of the page. The browser refuses a modified chunk.
 * - `manifest.json`: for a remote the hash of the federation's manifest (`mf-manifest.json`, which has that
 * of the entry), and the files of each screen; for the shell its own texts. The gateway uses it to preload
 * all of them with the page.
 *
 * In development, where files change while the page runs, there are no hashes.
 */
export class BuildManifest {
  /**
   * @param routes the file of a remote that imports its screens, relative to the app's folder
   * @param screens the file in the same folder that lists them as data (`ScreenFile` of @karaar/i18n)
   * @param texts the folders of catalogs that every page of this build needs, relative to the app's folder
   */
  constructor({ routes, screens, texts = [] }) {
    this.routes = routes;
    this.screens = screens;
    this.texts = texts;
  }

  apply(compiler) {
    const { webpack } = compiler;
    const { PROCESS_ASSETS_STAGE_OPTIMIZE_HASH, PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER } =
      webpack.Compilation;
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      const { processAssets } = compilation.hooks;
      if (isProduction(compilation)) {
        this.#checkChunks(webpack, compilation);
        // After the file names have their content hashes, before compression.
        processAssets.tap({ name: NAME, stage: PROCESS_ASSETS_STAGE_OPTIMIZE_HASH + 1 }, () => {
          writeHashes(webpack, compilation);
          checkPage(webpack, compilation);
        });
      }
      // After the federation's manifest exists.
      processAssets.tapPromise({ name: NAME, stage: PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER + 1 }, () =>
        this.#writeManifest(webpack, compiler, compilation),
      );
    });
  }

  /** Makes the runtime set `integrity` on its chunks. */
  #checkChunks(webpack, compilation) {
    const scripts = webpack.runtime.LoadScriptRuntimeModule.getCompilationHooks(compilation).createScript;
    scripts.tap(NAME, (source) => `${source}\nscript.integrity = ${SCRIPT_HASHES}[chunkId] || "";`);
    MiniCssExtractPlugin.getCompilationHooks(compilation).beforeTagInsert.tap(
      NAME,
      (source, { tag, chunkId }) => `${source}${tag}.integrity = ${STYLE_HASHES}[${chunkId}] || "";`,
    );
  }

  async #writeManifest(webpack, compiler, compilation) {
    const describe = (file) => ({
      file,
      as: file.endsWith('.css') ? 'style' : 'script',
      ...(isProduction(compilation) ? { integrity: integrityOf(compilation, file) } : {}),
    });
    const catalogs = catalogFiles(compilation);
    /** Returns files by language. */
    const words = (folders) => {
      const found = folders.flatMap((folder) => [
        ...(catalogs.get(isAbsolute(folder) ? folder : join(compiler.context, folder)) ?? []),
      ]);
      const languages = [...new Set(found.map(([language]) => language))].sort();
      const filesOf = (language) =>
        new Set(found.filter(([one]) => one === language).map(([, file]) => file));
      return Object.fromEntries(languages.map((one) => [one, [...filesOf(one)].map(describe)]));
    };
    const manifest = this.routes
      ? await this.#remoteManifest(webpack, compiler, compilation, describe, words)
      : { texts: words(this.texts) };
    compilation.emitAsset('manifest.json', new webpack.sources.RawSource(`${JSON.stringify(manifest)}\n`));
  }

  async #remoteManifest(webpack, compiler, compilation, describe, words) {
    const files = chunkFiles(compilation, this.routes);
    const list = join(compiler.context, this.screens);
    const screens = (await readScreens(list)).flatMap(({ file, texts, paths }) => {
      if (!files.has(file))
        compilation.errors.push(
          new webpack.WebpackError(`${this.screens} lists ${file}, which ${this.routes} does not import`),
        );
      const needs = {
        files: (files.get(file) ?? []).map(describe),
        texts: words(catalogFolders(list, texts)),
      };
      return Object.keys(paths).map((path) => [path, needs]);
    });
    const { source } = compilation.getAsset(FEDERATION_MANIFEST);
    const federation = source.source();
    const entry = describe(JSON.parse(federation).metaData.remoteEntry.name);
    const hash = integrity(federation);
    const file = FEDERATION_MANIFEST.replace('.', `.${hexOf(hash)}.`);
    compilation.deleteAsset(FEDERATION_MANIFEST);
    compilation.emitAsset(file, source);
    return {
      federation: { file, as: 'fetch', ...(entry.integrity ? { integrity: hash } : {}) },
      entry,
      /** The files of the list of screens itself. */
      common: (files.get('') ?? []).map(describe),
      screens: Object.fromEntries(screens),
    };
  }
}

/** Puts the hash of the entry into the federation's manifest, by which the shell checks it. */
export function withEntryHash({ stats, compilation }) {
  const { metaData } = stats;
  if (isProduction(compilation))
    metaData.entryIntegrity = integrityOf(compilation, metaData.remoteEntry.name);
  return stats;
}

/** Writes the hashes of its chunks into each runtime. */
function writeHashes(webpack, compilation) {
  const byChunk = (suffix) => {
    // Only chunks that a runtime loads: their names, and so their content, are part of the holder's name.
    const later = [...compilation.chunks].filter((chunk) => !chunk.canBeInitial());
    const entries = later.flatMap((chunk) =>
      [...chunk.files]
        .filter((file) => file.endsWith(suffix))
        .map((file) => [chunk.id, integrityOf(compilation, file)]),
    );
    return `(${JSON.stringify(Object.fromEntries(entries))})`;
  };
  rewrite(webpack, compilation, HASHED, (text) =>
    text.replaceAll(SCRIPT_HASHES, () => byChunk('.js')).replaceAll(STYLE_HASHES, () => byChunk('.css')),
  );
}

/** Adds hashes to the page's scripts and style sheets. */
function checkPage(webpack, compilation) {
  rewrite(webpack, compilation, /\.html$/, (page) =>
    page.replace(/(?:src|href)="\/([^"]+)"/g, (whole, file) =>
      HASHED.test(file) && compilation.getAsset(file)
        ? `${whole} integrity="${integrityOf(compilation, file)}"`
        : whole,
    ),
  );
}

function rewrite(webpack, compilation, names, change) {
  for (const { name, source } of compilation.getAssets().filter(({ name }) => names.test(name))) {
    const [before, after] = [source.source().toString(), change(source.source().toString())];
    if (after !== before) compilation.updateAsset(name, new webpack.sources.RawSource(after));
  }
}

const isProduction = ({ options }) => options.mode === 'production';

const integrityOf = (compilation, file) => integrity(compilation.getAsset(file).source.source());

const integrity = (content) => `sha256-${createHash('sha256').update(content).digest('base64')}`;

/** Returns the part of a hash in a file name: no two releases have one name with different content. */
const hexOf = (hash) => Buffer.from(hash.slice('sha256-'.length), 'base64').toString('hex').slice(0, 10);

/** Reads the present list: a watching build reads it again after each change. */
async function readScreens(file) {
  const { mtimeMs } = statSync(file);
  return (await import(`${pathToFileURL(file)}?at=${mtimeMs}`)).screens;
}

/**
 * Returns the folders of a screen's catalogs; those of packages belong to the shell, which every page has.
 */
const catalogFolders = (list, texts) =>
  texts.filter((one) => one.startsWith('.')).map((one) => join(dirname(list), one.replace(/\.ts$/, '')));

/** Returns the files of every catalog (`…/texts/en.json`): its folder to pairs of language and file. */
function catalogFiles(compilation) {
  const catalogs = new Map();
  for (const module of compilation.modules) {
    const [, folder, language] =
      /^(.*[\\/]texts)[\\/]([a-z]{2})\.json$/.exec(module.nameForCondition?.() ?? '') ?? [];
    if (!folder) continue;
    const chunks = [...compilation.chunkGraph.getModuleChunks(module)];
    const files = chunks.flatMap((chunk) => [...chunk.files]).map((file) => [language, file]);
    catalogs.set(folder, [...(catalogs.get(folder) ?? []), ...files]);
  }
  return catalogs;
}

/** Returns the files of each `import()` in the list of routes, by its request; '' is the list itself. */
function chunkFiles(compilation, routes) {
  const { chunkGraph } = compilation;
  const list = [...compilation.modules].find((module) =>
    module.nameForCondition?.()?.replaceAll('\\', '/').endsWith(routes.replace('./', '/')),
  );
  const files = new Map();
  if (!list) return files;
  const own = new Set([...chunkGraph.getModuleChunks(list)].flatMap((chunk) => [...chunk.files]));
  files.set(
    '',
    [...own].filter((file) => HASHED.test(file)),
  );
  for (const block of list.blocks) {
    const group = chunkGraph.getBlockChunkGroup(block);
    const needed = group ? group.getFiles().filter((file) => HASHED.test(file) && !own.has(file)) : [];
    files.set(block.dependencies[0].request, needed);
  }
  return files;
}
