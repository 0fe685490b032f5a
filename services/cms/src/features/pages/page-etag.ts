/** The entity tag of a page: its version, which every change makes anew. */
export const pageEtag = ({ slug, version }: { slug: string; version: number }): string =>
  `"${slug}-${version}"`;
