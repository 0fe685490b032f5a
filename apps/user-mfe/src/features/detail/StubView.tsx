import { useTexts } from '@karaar/i18n';
import { Button, Sheet, userName } from '@karaar/ui';
import { Welcome } from '@karaar/ui/pictures';
import { DetailSkeleton } from '@karaar/ui/skeletons';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ToDashboard } from '../../shared/ToDashboard.tsx';
import { workQuery } from '../../shared/queries.ts';
import type { Stub } from '../../shared/roles.ts';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';

/** A document for a user who is not a party: a request that waits, or the way to join. */
export default function StubView({ stub }: { stub: Stub }) {
  const t = useTexts(detailTexts);
  const work = useQuery(workQuery);
  const creator = userName(stub.primary_user_name);
  if (work.isPending) return <DetailSkeleton label={t('details')} />;
  const hasAsked = work.data?.others.some(
    ({ kind, document_id }) => kind === 'admission' && document_id === stub.document_id,
  );
  return (
    <Sheet>
      {hasAsked ? (
        <Welcome
          picture="people"
          title={t('askedTitle', { name: stub.name })}
          text={t('askedText', { name: creator })}
          action={<ToDashboard />}
        />
      ) : (
        <Welcome
          picture="people"
          title={t('stubTitle', { name: stub.name })}
          text={t('stubText', { name: creator })}
          action={
            <Button as={Link} to="/document/join" variant="primary" icon="join">
              {t('joinDocument')}
            </Button>
          }
        />
      )}
    </Sheet>
  );
}
