import { useTexts } from '@karaar/i18n';
import { Sheet, Stack } from '@karaar/ui';
import { Link } from 'react-router';
import { AdminPage } from '../../shared/AdminPage.tsx';
import { cmsTexts } from './texts.ts';

const slugs = ['about', 'contact', 'terms', 'privacy'] as const;

/** The static pages, each with its editor. */
export default function CmsPages() {
  const t = useTexts(cmsTexts);
  return (
    <AdminPage title={t('title')}>
      <Sheet>
        <Stack>
          {slugs.map((slug) => (
            <Link key={slug} to={`/admin/cms/${slug}`}>
              {t(slug)}
            </Link>
          ))}
        </Stack>
      </Sheet>
    </AdminPage>
  );
}
