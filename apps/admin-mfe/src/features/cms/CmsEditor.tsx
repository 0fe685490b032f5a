import { toastText } from '@karaar/api-client';
import { languageOfPage, LAW_SLUG, lawSlug } from '@karaar/contracts/law-pages';
import { isLanguage, LANGUAGE_NAMES, LANGUAGES, useTexts } from '@karaar/i18n';
import { ErrorState, PageSkeleton, Stack } from '@karaar/ui';
import { SegmentedControl } from '@karaar/ui/fields';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { AdminPage } from '../../shared/AdminPage.tsx';
import css from './cms.module.css';
import { EditorForm } from './EditorForm.tsx';
import { pageQuery, type Slug } from './pages.ts';
import { cmsTexts } from './texts.ts';

const LANGUAGE = 'language';

/** The editor of one static page; the words about the law have one in each language. */
export default function CmsEditor({ slug }: { slug: Slug }) {
  const t = useTexts(cmsTexts);
  const [params] = useSearchParams();
  const language = params.get(LANGUAGE) ?? '';
  const id = slug === LAW_SLUG && isLanguage(language) ? lawSlug(language) : slug;
  const page = useQuery(pageQuery(id));
  const choice = slug === LAW_SLUG && <LanguageChoice id={id} />;
  if (page.data)
    return (
      <EditorForm key={id} loaded={page.data} title={t(slug)}>
        {choice}
      </EditorForm>
    );
  return (
    <AdminPage title={t(slug)}>
      {choice}
      {page.isPending && <PageSkeleton />}
      {page.isError && (
        <ErrorState
          title={toastText(page.error, t('loadFailed'))}
          onRetry={() => void page.refetch()}
          retrying={page.isFetching}
        />
      )}
    </AdminPage>
  );
}

/** The languages of the words about the law, one page each. */
function LanguageChoice({ id }: { id: string }) {
  const t = useTexts(cmsTexts);
  const [, setParams] = useSearchParams();
  return (
    <Stack gap={1}>
      <SegmentedControl
        label={t('lawLanguage')}
        value={languageOfPage(id)}
        options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value], lang: value }))}
        onChange={(value) => setParams(value === 'en' ? {} : { [LANGUAGE]: value })}
      />
      <p className={css.note}>{t('lawLanguageNote')}</p>
    </Stack>
  );
}
