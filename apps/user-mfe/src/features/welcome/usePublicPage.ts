import { call } from '@karaar/api-client';
import { cmsRoutes } from '@karaar/contracts/cms/http';
import { activeLanguage } from '@karaar/i18n';
import { useQuery } from '@tanstack/react-query';

/** Loads a page of the CMS in the reader's language, without an account. */
export function usePublicPage(id: string) {
  const language = activeLanguage();
  return useQuery({
    queryKey: ['cms', 'public', id, language],
    queryFn: ({ signal }) =>
      call(cmsRoutes.getPublicPage, { params: { id }, query: { language } }, { signal }),
  });
}
