import { call } from '@karaar/api-client';
import { sealRoutes } from '@karaar/contracts/documents/seal';
import { SUPPORTERS, type AdminRole } from '@karaar/contracts/kit';
import { useTexts } from '@karaar/i18n';
import { formatDate, Banner } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { ADMIN_KEY } from '../../shared/queries.ts';
import { sealTexts } from './texts.ts';

const HOUR_MS = 3_600_000;

/** Warns while there is still time to replace the sealing certificate; otherwise renders nothing. */
export function SealBanner({ role }: { role: AdminRole }) {
  const t = useTexts(sealTexts);
  const { data: seal } = useQuery({
    queryKey: [ADMIN_KEY, 'seal'],
    queryFn: ({ signal }) => call(sealRoutes.adminSeal, {}, { signal }),
    enabled: SUPPORTERS.some((each) => each === role),
    staleTime: HOUR_MS,
  });
  if (!seal?.ends_soon) return null;
  const { days_left: days, signer } = seal;
  const date = formatDate(seal.not_after);
  return days < 0 ? (
    <Banner tone="rejected">{t('ended', { signer, date })}</Banner>
  ) : (
    <Banner tone="waiting">{t('endsSoon', { signer, date, days })}</Banner>
  );
}
