import { useTexts } from '@karaar/i18n';
import { AdminPage } from '../../shared/AdminPage.tsx';
import { layoutTexts } from '../../layout/texts.ts';

export default function Audit() {
  const t = useTexts(layoutTexts);
  return <AdminPage title={t('audit')}>{null}</AdminPage>;
}
