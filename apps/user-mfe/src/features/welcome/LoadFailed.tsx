import { toastText } from '@karaar/api-client';
import { useTexts } from '@karaar/i18n';
import { ErrorState } from '@karaar/ui';
import type { UseQueryResult } from '@tanstack/react-query';
import { welcomeTexts } from './texts.ts';

/** Offers to load a page of the CMS again. */
export function LoadFailed({ page }: { page: UseQueryResult }) {
  const t = useTexts(welcomeTexts);
  return (
    <ErrorState
      title={toastText(page.error, t('loadFailed'))}
      onRetry={() => void page.refetch()}
      retrying={page.isFetching}
    />
  );
}
