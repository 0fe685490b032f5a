/** The entity tag of a page: its version, which every change makes anew; of a translation, with its language. */
export const pageEtag = ({
  slug,
  version,
  language = 'en',
}: {
  slug: string;
  version: number;
  language?: string;
}): string => `"${slug}-${version}${language === 'en' ? '' : `-${language}`}"`;
