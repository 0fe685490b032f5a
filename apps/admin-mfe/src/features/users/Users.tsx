import { useTexts } from '@karaar/i18n';
import { AdminPage } from '../../shared/AdminPage.tsx';
import { layoutTexts } from '../../layout/texts.ts';

export default function Users() {
  const t = useTexts(layoutTexts);
  return <AdminPage title={t('users')}>{null}</AdminPage>;
}
