import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const NAME = 'CuratedImports';

/** Stops a build that imports a part of a package that the shell does not bring (see CURATED). */
export class CuratedImports {
  /** @param curated packages to the files that list what there is of them */
  constructor(curated) {
    this.curated = curated;
  }

  apply(compiler) {
    const { webpack, context } = compiler;
    compiler.hooks.thisCompilation.tap(NAME, (compilation, { normalModuleFactory }) => {
      const listed = new Map();
      for (const [name, file] of Object.entries(this.curated)) {
        compilation.fileDependencies.add(file);
        listed.set(name, namesIn(readFileSync(file, 'utf8')));
      }
      const check = (parser) =>
        parser.hooks.importSpecifier.tap(NAME, (_statement, source, imported) => {
          const names = listed.get(source);
          if (!names || imported === null || names.has(imported)) return;
          const list = relative(context, this.curated[source]);
          const message = `${source} has no ${imported} here: add it to ${list}, which the shell shares`;
          const error = new webpack.WebpackError(message);
          error.module = parser.state.module;
          compilation.errors.push(error);
        });
      for (const type of ['auto', 'esm']) {
        normalModuleFactory.hooks.parser.for(`javascript/${type}`).tap(NAME, check);
      }
    });
  }
}

/** What a file of the form `export { a, b } from '…'` exports. */
function namesIn(text) {
  const list = /export \{([^}]*)\}/.exec(text)?.[1] ?? '';
  return new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  );
}
