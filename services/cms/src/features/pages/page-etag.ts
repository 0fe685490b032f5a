/** Returns the entity tag of a page version; a translation's tag also has its language. */
export const pageEtag = ({
  slug,
  version,
  language = 'en',
}: {
  slug: string;
  version: number;
  language?: string;
}): string => `"${slug}-${version}${language === 'en' ? '' : `-${language}`}"`;
