import { useTexts } from '@karaar/i18n';
import { AdminPage } from '../../shared/AdminPage.tsx';
import { cmsTexts } from './texts.ts';

/** The editor of one static page. */
export default function CmsEditor({ slug }: { slug: 'about' | 'contact' | 'terms' | 'privacy' }) {
  const t = useTexts(cmsTexts);
  return <AdminPage title={t(slug)}>{null}</AdminPage>;
}
