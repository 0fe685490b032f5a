/**
 * A polyfill before the library: PDF.js' legacy build needs this function, which Chrome 118 lacks, in the
 * page and its worker.
 */
const WITH_RESOLVERS = `Promise.withResolvers ??= function () {
  let resolve, reject;
  const promise = new this((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
};
`;

/** @type {import('webpack').LoaderDefinitionFunction} */
export default function pdfjsLoader(source) {
  return WITH_RESOLVERS + source;
}
