/**
 * The one function that PDF.js' legacy build takes for granted and Chrome 118 lacks, before the library: the page and its
 * worker both need it.
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
