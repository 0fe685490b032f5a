import { ApiError, toastText } from '@karaar/api-client';
import type { Document } from '@karaar/contracts/documents/http';
import type { Calculation, Payment } from '@karaar/contracts/payments/http';
import { useTexts } from '@karaar/i18n';
import {
  Badge,
  Button,
  ErrorState,
  Facts,
  money,
  Page,
  PageSkeleton,
  Sheet,
  shortMoney,
  Stack,
  statusText,
  WithAside,
} from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { chargeQuery } from '../../shared/charge-query.ts';
import { balanceQuery, documentQuery } from '../../shared/queries.ts';
import { useUser } from '../../shared/useShell.ts';
import { ToDashboard } from '../../shared/ToDashboard.tsx';
import { useTitle } from '../../shared/useTitle.ts';
import { isWhole } from '../../shared/roles.ts';
import { PriceNote } from '../reading/PriceNote.tsx';
import { isPayer, paidRupees, paymentState, stateTones } from './charge.ts';
import { hasPaid } from '../../shared/paid.ts';
import css from './payment.module.css';
import { PaymentHistory } from './PaymentHistory.tsx';
import { nameOf } from './party-name.ts';
import { paymentTexts } from '../../shared/catalogs/payment/texts.ts';
import { usePay } from './usePay.tsx';

/** The payment of a document: price, shares and completed payments. */
export default function PaymentPage() {
  const t = useTexts(paymentTexts);
  useTitle(t('title'));
  const { id = '' } = useParams();
  const document = useQuery(documentQuery(id));
  const charge = useQuery(chargeQuery(id));
  // Loaded data stays when a refetch fails.
  const error = (document.data ? null : document.error) ?? (charge.data ? null : charge.error);
  if (error) {
    const status = error instanceof ApiError ? error.status : 0;
    const gone = status === 404;
    const retry = () => void Promise.all([document.refetch(), charge.refetch()]);
    return (
      <ErrorState
        title={
          gone
            ? t('notFound')
            : toastText(error, error === document.error ? t('loadFailed') : t('chargeFailed'))
        }
        {...(gone || status === 403
          ? { action: <ToDashboard /> }
          : { onRetry: retry, retrying: document.isFetching || charge.isFetching })}
      />
    );
  }
  if (!document.data || !charge.data) return <PageSkeleton />;
  if (!isWhole(document.data)) return <ErrorState title={t('notFound')} action={<ToDashboard />} />;
  const { calculation, payments } = charge.data;
  return <PaymentView document={document.data} calculation={calculation} payments={payments} />;
}

type PaymentViewProps = { document: Document; calculation: Calculation; payments: readonly Payment[] };

function PaymentView({ document, calculation, payments }: PaymentViewProps) {
  const t = useTexts(paymentTexts);
  const { user_id } = useUser();
  const balance = useQuery(balanceQuery);
  const { start, paying, dialog } = usePay(document, calculation, calculation.duration_days);
  const state = paymentState(payments, calculation.total_amount);
  const isPrimary = document.primary_user === user_id;
  return (
    <Page title={t('title')} lead={document.name}>
      <WithAside
        first={
          <Sheet title={t('wallet')}>
            <Stack>
              <span className={css.amount}>{balance.data ? money(balance.data.balance) : '–'}</span>
              <Button as={Link} to="/wallet" icon="plus" wide>
                {t('addFunds')}
              </Button>
            </Stack>
          </Sheet>
        }
        aside={
          <>
            <Sheet title={t('role')}>
              <p>{isPrimary ? t('rolePrimary') : t('roleInvolved')}</p>
            </Sheet>
            <Sheet title={t('quick')}>
              <Stack gap={1}>
                <Link to={`/document/${document.document_id}`}>{t('toDocument')}</Link>
                <Link to="/wallet">{t('toWallet')}</Link>
              </Stack>
            </Sheet>
          </>
        }
      >
        <Sheet title={t('summary')}>
          <Stack gap={2.5}>
            <Facts
              entries={[
                [t('total'), money(calculation.total_amount)],
                [t('days'), t('dayCount', { days: calculation.duration_days })],
                [t('paidSoFar'), money(paidRupees(payments))],
                [
                  t('status'),
                  <Badge key="state" tone={stateTones[state]}>
                    {statusText(state)}
                  </Badge>,
                ],
              ]}
            />
            <p className="k-muted k-num">{t('dailyRate', { rate: shortMoney(calculation.daily_rate) })}</p>
            {state !== 'completed' && (
              <OwnPart document={document} calculation={calculation} payments={payments}>
                <Button variant="primary" icon="wallet" onClick={start} loading={paying}>
                  {t('makePayment')}
                </Button>
              </OwnPart>
            )}
          </Stack>
        </Sheet>
        <Distribution document={document} calculation={calculation} />
        <PaymentHistory document={document} payments={payments} />
      </WithAside>
      {dialog}
    </Page>
  );
}

/** The payment button for a user who owes a share; for others, the reason why they pay nothing now. */
function OwnPart({ document, calculation, payments, children }: PaymentViewProps & { children: ReactNode }) {
  const t = useTexts(paymentTexts);
  const { user_id } = useUser();
  if (hasPaid(payments, user_id)) return <p>{t('ownPaid')}</p>;
  if (isPayer(document, calculation, user_id)) return children;
  const shared = calculation.payment_distributions.length > 0;
  return <p>{shared ? <PriceNote document={document} /> : t('primaryOnly')}</p>;
}

function Distribution({ document, calculation }: Omit<PaymentViewProps, 'payments'>) {
  const t = useTexts(paymentTexts);
  const { user_id } = useUser();
  const shares = calculation.payment_distributions;
  return (
    <Sheet title={t('distribution')}>
      {shares.length === 0 ? (
        <p className="k-muted">
          {t(document.primary_user === user_id ? 'noDistribution' : 'noDistributionYet')}
        </p>
      ) : (
        <ul className={css.rows}>
          {shares.map((share) => (
            <li key={share.user_id} className={css.row}>
              <span>{nameOf(document, share.user_id)}</span>
              <span className="k-muted k-num">{t('share', { percent: share.percentage })}</span>
              <span className={css.money}>{money(share.amount)}</span>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}
