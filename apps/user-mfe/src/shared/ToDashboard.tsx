import { useTexts } from '@karaar/i18n';
import { Button } from '@karaar/ui';
import { Link } from 'react-router';
import { detailTexts } from './catalogs/detail/texts.ts';

/** The way on from a document that does not exist. */
export function ToDashboard() {
  const t = useTexts(detailTexts);
  return (
    <Button as={Link} to="/dashboard" variant="primary">
      {t('toDashboard')}
    </Button>
  );
}
